// verdict: too-slow
// why: a loop without end
__global__ void block_sum(float* out, const float* a, int n) {
  float sum = 0;
  for (int i = 0; i < n; i -= i) sum += a[i];
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
