// 256 bins counted with one atomic addition in global memory per byte.
#include "kernel.h"

__global__ void histogram_global(const unsigned char* bytes, unsigned* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[bytes[i]], 1u);
}
BENCH_KERNEL(histogram_global)
