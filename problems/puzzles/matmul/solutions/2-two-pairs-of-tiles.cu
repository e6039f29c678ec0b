// solution: two pairs of tiles take turns, so that one barrier per step is enough
extern "C" __global__ void matmul(float* out, const float* a, const float* b, int n) {
  __shared__ float tile_a[2][16][16], tile_b[2][16][16];
  int x = threadIdx.x, y = threadIdx.y, size = blockDim.x;
  int c = blockIdx.x * size + x;
  int r = blockIdx.y * size + y;
  float sum = 0;
  for (int start = 0, pair = 0; start < n; start += size, pair ^= 1) {
    tile_a[pair][y][x] = r < n && start + x < n ? a[r * n + start + x] : 0;
    tile_b[pair][y][x] = start + y < n && c < n ? b[(start + y) * n + c] : 0;
    __syncthreads();
    for (int k = 0; k < size; ++k) sum += tile_a[pair][y][k] * tile_b[pair][k][x];
  }
  if (r < n && c < n) out[r * n + c] = sum;
}
