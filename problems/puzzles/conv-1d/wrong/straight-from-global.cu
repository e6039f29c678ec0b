// verdict: over-budget
// why: each thread reads all it needs from global memory
extern "C" __global__ void conv_1d(float* out, const float* a, const float* b, int n, int taps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < taps && i + k < n; ++k) sum += a[i + k] * b[k];
  out[i] = sum;
}
