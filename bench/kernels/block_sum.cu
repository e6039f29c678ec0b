// Each block of 256 threads adds up its 256 numbers: a tree in shared memory, a barrier per level.
#include "kernel.h"

__global__ void block_sum(const float* x, float* sums, int n) {
  __shared__ float part[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int offset = blockDim.x / 2; offset > 0; offset /= 2) {
    if (t < offset) part[t] += part[t + offset];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}
BENCH_KERNEL(block_sum)
