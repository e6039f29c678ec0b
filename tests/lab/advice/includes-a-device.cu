// problem: puzzles/map
// verdict: forbidden
// says: a device is no header
// not: paste what the file needs
#include "/dev/zero"
extern "C" __global__ void map(float* out, const float* a) {
  int i = threadIdx.x;
  out[i] = a[i] + 10;
}
