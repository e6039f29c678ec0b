// problem: puzzles/map
// verdict: does-not-compile
// says: the problem asks for: __global__ void map(float* out, const float* a)
// not: start with the first message
extern "C" __global__ void map(float* out, const float* a, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = a[i] + 10;
}
