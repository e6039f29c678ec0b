// problem: puzzles/map
// verdict: wrong-signature
// says: `map` has 3 parameters here, and the problem gives it 2
// says: this file has: extern "C" __global__ void map(float* out, const float* a, int n)
// says: the problem asks for: __global__ void map(float* out, const float* a)
// not: does not compile
// not: start with the first message
extern "C" __global__ void map(float* out, const float* a, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = a[i] + 10;
}
