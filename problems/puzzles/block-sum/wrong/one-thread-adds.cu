// verdict: over-budget
// why: thread 0 adds up the whole block
extern "C" __global__ void block_sum(float* out, const float* a, int n) {
  __shared__ float sums[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  sums[t] = i < n ? a[i] : 0;
  __syncthreads();
  if (t != 0) return;
  float sum = 0;
  for (int k = 0; k < blockDim.x; ++k) sum += sums[k];
  out[blockIdx.x] = sum;
}
