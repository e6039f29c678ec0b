// verdict: wrong-value
// why: keeps the tile in half precision
#include <cuda_fp16.h>
extern "C" __global__ void conv_1d(float* out, const float* a, const float* b, int n, int taps) {
  __shared__ half tile[128 + 3];
  __shared__ float weights[4];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  tile[t] = __float2half(i < n ? a[i] : 0);
  if (t < taps) weights[t] = b[t];
  int h = t - 4, next = (blockIdx.x + 1) * blockDim.x + h;
  if (h >= 0 && h < taps - 1) tile[blockDim.x + h] = __float2half(next < n ? a[next] : 0);
  __syncthreads();
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < taps; ++k) sum += __half2float(tile[t + k]) * weights[k];
  out[i] = sum;
}
