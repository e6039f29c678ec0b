// 256 bins counted per block in shared memory, then added to those in global memory. A thread counts many
// bytes, a grid apart. Blocks of 256 threads: one per bin.
#include "kernel.h"

__global__ void histogram_shared(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[bytes[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
BENCH_KERNEL(histogram_shared)
