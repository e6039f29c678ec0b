// verdict: over-budget
// why: every thread stores the result: the same value, as many writes as threads
extern "C" __global__ void dot(float* out, const float* a, const float* b, int n) {
  __shared__ float products[256];
  int i = threadIdx.x;

  products[i] = i < n ? a[i] * b[i] : 0;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += products[k];
  out[0] = sum;
}
