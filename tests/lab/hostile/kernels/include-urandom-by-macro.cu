// verdict: forbidden
// says: /dev/urandom
// Compilers may open this device, the judge may not read it to its end.
#define DEVICE "/dev/urandom"
#include DEVICE
extern "C" __global__ void add_ten(float* out, const float* a) {
  out[threadIdx.x] = a[threadIdx.x] + 10;
}
