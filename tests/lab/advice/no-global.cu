// problem: puzzles/map
// verdict: wrong-signature
// says: a kernel has __global__ before it
// says: this file has: extern "C" __device__ void map(float* out, const float* a)
// says: the problem asks for: __global__ void map(float* out, const float* a)
// not: does not compile
// not: start with the first message
extern "C" __device__ void map(float* out, const float* a) {
  int i = threadIdx.x;
  out[i] = a[i] + 10;
}
