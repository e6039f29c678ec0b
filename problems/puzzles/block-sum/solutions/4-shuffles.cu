// solution: trees in the warps' registers, and one over the warps: a single barrier
extern "C" __global__ void block_sum(float* out, const float* a, int n) {
  __shared__ float warps[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x, lane = t % 32;
  float sum = i < n ? a[i] : 0;
  unsigned mask = __activemask();
  for (int step = min(32, (int)blockDim.x) / 2; step > 0; step /= 2) sum += __shfl_xor_sync(mask, sum, step);
  if (lane == 0) warps[t / 32] = sum;
  __syncthreads();
  if (t >= 32) return;
  int count = (blockDim.x + 31) / 32;
  sum = lane < count ? warps[lane] : 0;
  for (int step = min(32, (int)blockDim.x) / 2; step > 0; step /= 2) sum += __shfl_xor_sync(mask, sum, step);
  if (t == 0) out[blockIdx.x] = sum;
}
