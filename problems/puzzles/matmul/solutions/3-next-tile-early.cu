// solution: the next elements are fetched into registers while the tiles are multiplied
extern "C" __global__ void matmul(float* out, const float* a, const float* b, int n) {
  __shared__ float tile_a[16][16], tile_b[16][16];
  int x = threadIdx.x, y = threadIdx.y, size = blockDim.x;
  int c = blockIdx.x * size + x;
  int r = blockIdx.y * size + y;
  float sum = 0;
  float next_a = r < n && x < n ? a[r * n + x] : 0, next_b = y < n && c < n ? b[y * n + c] : 0;
  for (int start = size;; start += size) {
    tile_a[y][x] = next_a;
    tile_b[y][x] = next_b;
    __syncthreads();
    if (start < n) {
      next_a = r < n && start + x < n ? a[r * n + start + x] : 0;
      next_b = start + y < n && c < n ? b[(start + y) * n + c] : 0;
    }
    for (int k = 0; k < size; ++k) sum += tile_a[y][k] * tile_b[k][x];
    if (start >= n) break;
    __syncthreads();
  }
  if (r < n && c < n) out[r * n + c] = sum;
}
