// verdict: out-of-bounds
// why: compares with the number of threads, which is always true
extern "C" __global__ void guards(float* out, const float* a, int n) {
  int i = threadIdx.x;
  if (i < blockDim.x) out[i] = a[i] + 10;
}
