// verdict: over-budget
// why: thread 0 does the work of all
extern "C" __global__ void guards(float* out, const float* a, int n) {
  if (threadIdx.x != 0) return;
  for (int i = 0; i < n; ++i) out[i] = a[i] + 10;
}
