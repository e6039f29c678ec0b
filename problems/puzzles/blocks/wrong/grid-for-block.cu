// verdict: over-budget
// why: multiplies by the number of blocks instead of threads, so that blocks overlap
extern "C" __global__ void blocks(float* out, const float* a, int n) {
  int i = blockIdx.x * gridDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + 10;
}
