// verdict: wrong-value
// Half the precision that is asked for.
#include <cuda_fp16.h>
extern "C" __global__ void add_ten(float* out, const float* a) {
  out[threadIdx.x] = __half2float(__hadd(__float2half(a[threadIdx.x]), __float2half(10.0f)));
}
