// verdict: uninitialised
// why: threads outside of the matrix leave their place in the tiles as it is
extern "C" __global__ void matmul(float* out, const float* a, const float* b, int n) {
  __shared__ float tile_a[16][16], tile_b[16][16];
  int x = threadIdx.x, y = threadIdx.y, size = blockDim.x;
  int c = blockIdx.x * size + x;
  int r = blockIdx.y * size + y;
  float sum = 0;
  for (int start = 0; start < n; start += size) {
    if (r < n && start + x < n) tile_a[y][x] = a[r * n + start + x];
    if (start + y < n && c < n) tile_b[y][x] = b[(start + y) * n + c];
    __syncthreads();
    for (int k = 0; k < size; ++k) sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  if (r < n && c < n) out[r * n + c] = sum;
}
