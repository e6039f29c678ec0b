// verdict: wrong-value
// why: adds up in half precision
#include <cuda_fp16.h>
extern "C" __global__ void dot(float* out, const float* a, const float* b, int n) {
  __shared__ half products[256];
  int i = threadIdx.x;
  products[i] = __float2half(i < n ? a[i] * b[i] : 0);
  __syncthreads();
  for (int half_ = blockDim.x / 2; half_ > 0; half_ /= 2) {
    if (i < half_) products[i] = __hadd(products[i], products[i + half_]);
    __syncthreads();
  }
  if (i == 0) out[0] = __half2float(products[0]);
}
