// verdict: wrong-value
// why: computes in half precision
#include <cuda_fp16.h>
extern "C" __global__ void zip(float* out, const float* a, const float* b) {
  int i = threadIdx.x;
  out[i] = __half2float(__hadd(__float2half(a[i]), __float2half(b[i])));
}
