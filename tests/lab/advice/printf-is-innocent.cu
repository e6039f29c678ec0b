// problem: puzzles/map
// verdict: over-budget
// says: global reads of one thread: 2, allowed 1
// not: the printf in line
#include <cstdio>

extern "C" __global__ void map(float* out, const float* a) {
  int i = threadIdx.x;
  printf("thread %d, %d\n", i, 2 * i);
  out[i] = a[i] + 10 + 0 * a[blockDim.x - 1 - i];
}
