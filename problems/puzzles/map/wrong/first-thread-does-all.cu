// verdict: over-budget
// why: thread 0 does the work of all
extern "C" __global__ void map(float* out, const float* a) {
  if (threadIdx.x != 0) return;
  for (unsigned i = 0; i < blockDim.x; ++i) out[i] = a[i] + 10;
}
