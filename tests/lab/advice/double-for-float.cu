// problem: puzzles/map
// verdict: wrong-signature
// says: this file has: extern "C" __global__ void map(double* out, const float* a)
// says: `out` is a `double*` here, and the problem gives a `float*`
// says: next     the problem asks for: __global__ void map(float* out, const float* a)
// not: which threads need a guard
extern "C" __global__ void map(double* out, const float* a) {
  int i = threadIdx.x;
  out[i] = a[i] + 10;
}
