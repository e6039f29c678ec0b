// problem: puzzles/map
// verdict: wrong-signature
// says: your `out` is the problem's `a`: parameters are passed by position
// says: next     the problem asks for: __global__ void map(float* out, const float* a)
// not: nothing is in it before
// The input first, as in many libraries.
extern "C" __global__ void map(const float* a, float* out) {
  int i = threadIdx.x;
  out[i] = a[i] + 10;
}
