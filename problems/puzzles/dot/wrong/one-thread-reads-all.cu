// verdict: over-budget
// why: one thread does everything
extern "C" __global__ void dot(float* out, const float* a, const float* b, int n) {
  if (threadIdx.x != 0) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[k] * b[k];
  out[0] = sum;
}
