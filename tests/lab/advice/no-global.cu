// problem: puzzles/map
// verdict: does-not-compile
// says: a kernel has __global__ before it
// not: start with the first message
extern "C" __device__ void map(float* out, const float* a) {
  int i = threadIdx.x;
  out[i] = a[i] + 10;
}
