// verdict: accepted
// Formats that ask for two billion characters of output, and for text at wild addresses.
#include <cstdio>
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  printf("%2000000000d %.2000000000f %*d", i, a[i], 2000000000, i);
  if (i == 0) printf("%n%s%s", reinterpret_cast<int*>(8), reinterpret_cast<const char*>(16), reinterpret_cast<const char*>(~0ull));
  out[i] = a[i] + 10;
}
