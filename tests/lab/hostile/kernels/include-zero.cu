// verdict: forbidden
// says: /dev/zero
// A device without end as source: the compiler takes it for an empty file, and what hashes dependencies reads for ever.
#include "/dev/zero"
extern "C" __global__ void add_ten(float* out, const float* a) {
  out[threadIdx.x] = a[threadIdx.x] + 10;
}
