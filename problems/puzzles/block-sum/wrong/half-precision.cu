// verdict: wrong-value
// why: adds up in half precision
#include <cuda_fp16.h>
extern "C" __global__ void block_sum(float* out, const float* a, int n) {
  __shared__ half sums[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  sums[t] = __float2half(i < n ? a[i] : 0);
  __syncthreads();
  for (int rest = blockDim.x / 2; rest > 0; rest /= 2) {
    if (t < rest) sums[t] = __hadd(sums[t], sums[t + rest]);
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = __half2float(sums[0]);
}
