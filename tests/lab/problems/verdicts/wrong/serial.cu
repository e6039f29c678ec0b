// verdict: over-budget
// why: without shared memory, and one thread reads all
__global__ void block_sum(float* out, const float* a, int n) {
  if (threadIdx.x != 0) return;
  float sum = 0;
  for (int i = blockIdx.x * 64; i < n && i < (blockIdx.x + 1) * 64; ++i) sum += a[i];
  out[blockIdx.x] = sum;
}
