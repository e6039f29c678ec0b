// verdict: over-budget
// why: each thread reads its three elements from global memory
extern "C" __global__ void pooling(float* out, const float* a, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  float sum = a[i];
  if (i >= 1) sum += a[i - 1];
  if (i >= 2) sum += a[i - 2];
  out[i] = sum;
}
