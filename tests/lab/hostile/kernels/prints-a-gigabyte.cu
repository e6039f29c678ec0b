// verdict: too-slow
// Output of the device without end.
#include <cstdio>
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  for (int k = 0; k < 100000000; ++k) printf("0123456789012345678901234567890123456789\n");
  out[i] = a[i] + 10;
}
