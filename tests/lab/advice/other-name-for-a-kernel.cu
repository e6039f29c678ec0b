// problem: puzzles/map
// verdict: wrong-signature
// says: `Map` (line 11) has the parameters of the problem, and the judge calls `map`
// says: there is no kernel `map`
// not: helper
// not: does not compile
__device__ void helper(float* out, const float* a) {
  if (threadIdx.x == 0) {
  }
}
__global__ void Map(float* out, const float* a) {
  int i = threadIdx.x;
  out[i] = a[i] + 10;
}
