// verdict: over-budget
// why: thread 0 does the work of all
extern "C" __global__ void zip(float* out, const float* a, const float* b) {
  if (threadIdx.x != 0) return;
  for (unsigned i = 0; i < blockDim.x; ++i) out[i] = a[i] + b[i];
}
