// verdict: does-not-compile
// A source that includes itself.
#include "self-include.cu"
extern "C" __global__ void add_ten(float* out, const float* a) {
  out[threadIdx.x] = a[threadIdx.x] + 10;
}
