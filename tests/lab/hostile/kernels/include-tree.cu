// verdict: does-not-compile
// says: the compiler was ended
// within: 20
// The source includes itself twice at each level: 2^100 files from two lines.
#if __INCLUDE_LEVEL__ < 100
#include __FILE__
#include __FILE__
#endif
#if __INCLUDE_LEVEL__ == 0
extern "C" __global__ void add_ten(float* out, const float* a) {
  out[threadIdx.x] = a[threadIdx.x] + 10;
}
#endif
