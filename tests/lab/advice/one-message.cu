// problem: puzzles/map
// verdict: does-not-compile
// says: what is missing may belong just before it
// not: start with the first message
extern "C" __global__ void map(float* out, const float* a) {
  int i = threadIdx.x
  out[i] = a[i] + 10;
}
