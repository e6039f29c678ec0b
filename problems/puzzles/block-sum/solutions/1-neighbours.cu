// solution: neighbours first: right, but the working threads lie further and further apart, so that all warps stay busy to the end
extern "C" __global__ void block_sum(float* out, const float* a, int n) {
  __shared__ float sums[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  sums[t] = i < n ? a[i] : 0;
  __syncthreads();
  for (int step = 1; step < blockDim.x; step *= 2) {
    if (t % (2 * step) == 0) sums[t] += sums[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
