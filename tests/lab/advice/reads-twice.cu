// problem: puzzles/guards
// verdict: over-budget
// says: a value that it needs again can stay in a variable
// not: does the work of all
extern "C" __global__ void guards(float* out, const float* a, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = a[i] + 10 + (*(volatile const float*)&a[i] - *(volatile const float*)&a[i]);
}
