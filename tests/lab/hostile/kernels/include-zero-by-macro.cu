// verdict: forbidden
// says: /dev/zero
// The name is put together by the preprocessor: no text search finds it.
#define DEVICE </dev/zero>
#include DEVICE
extern "C" __global__ void add_ten(float* out, const float* a) {
  out[threadIdx.x] = a[threadIdx.x] + 10;
}
