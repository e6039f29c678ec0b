// verdict: wrong-value
// why: keeps the tiles in half precision
#include <cuda_fp16.h>
extern "C" __global__ void matmul(float* out, const float* a, const float* b, int n) {
  __shared__ half tile_a[16][16], tile_b[16][16];
  int x = threadIdx.x, y = threadIdx.y, size = blockDim.x;
  int c = blockIdx.x * size + x;
  int r = blockIdx.y * size + y;
  float sum = 0;
  for (int start = 0; start < n; start += size) {
    tile_a[y][x] = __float2half(r < n && start + x < n ? a[r * n + start + x] : 0);
    tile_b[y][x] = __float2half(start + y < n && c < n ? b[(start + y) * n + c] : 0);
    __syncthreads();
    for (int k = 0; k < size; ++k) sum += __half2float(tile_a[y][k]) * __half2float(tile_b[k][x]);
    __syncthreads();
  }
  if (r < n && c < n) out[r * n + c] = sum;
}
