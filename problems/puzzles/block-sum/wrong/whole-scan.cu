// verdict: over-budget
// why: makes every running sum of the block and keeps the last: no thread ever drops out
extern "C" __global__ void block_sum(float* out, const float* a, int n) {
  __shared__ float sums[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  sums[t] = i < n ? a[i] : 0;
  __syncthreads();
  for (int step = 1; step < blockDim.x; step *= 2) {
    float other = t >= step ? sums[t - step] : 0;
    __syncthreads();
    sums[t] += other;
    __syncthreads();
  }
  if (t == blockDim.x - 1) out[blockIdx.x] = sums[t];
}
