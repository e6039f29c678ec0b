// problem: puzzles/map
// verdict: out-of-bounds
// says: your `a` is the problem's `out`
// says: work out the index for the thread named above
// Parameters in another order: extern "C" hides it.
extern "C" __global__ void map(float* a, const float* out) {
  int i = threadIdx.x;
  a[i + 1] = out[i] + 10;
}
