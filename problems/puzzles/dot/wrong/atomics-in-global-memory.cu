// verdict: over-budget
// why: every thread adds to the output itself, which is a write each
extern "C" __global__ void dot(float* out, const float* a, const float* b, int n) {
  int i = threadIdx.x;
  if (i == 0) out[0] = 0;
  __syncthreads();
  if (i < n) atomicAdd(out, a[i] * b[i]);
}
