// problem: puzzles/map
// verdict: over-budget
// says: the printf in line 13 reads memory for what it prints
// says: take the printf in line 13 out
// says: global reads of one thread: 2, allowed 1
// not: count what one thread reads
#include <cstdio>

extern "C" __global__ void map(float* out, const float* a) {
  int i = threadIdx.x;
  printf("thread %d\n", i);
  out[i] = a[i] + 10;
  printf("a[%d] = %f\n", i, a[i]);
}
