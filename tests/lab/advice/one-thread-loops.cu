// problem: puzzles/guards
// verdict: over-budget
// says: this thread does the work of all: the threads are the loop
// not: a value that it needs again
extern "C" __global__ void guards(float* out, const float* a, int n) {
  if (threadIdx.x == 0)
    for (int i = 0; i < n; ++i) out[i] = a[i] + 10;
}
