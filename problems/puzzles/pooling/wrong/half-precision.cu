// verdict: wrong-value
// why: keeps the tile in half precision
#include <cuda_fp16.h>
extern "C" __global__ void pooling(float* out, const float* a, int n) {
  __shared__ half tile[192];
  int i = threadIdx.x;
  if (i < n) tile[i] = __float2half(a[i]);
  __syncthreads();
  if (i >= n) return;
  float sum = __half2float(tile[i]);
  if (i >= 1) sum += __half2float(tile[i - 1]);
  if (i >= 2) sum += __half2float(tile[i - 2]);
  out[i] = sum;
}
