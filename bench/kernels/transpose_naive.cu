// out = inᵀ, straight: reads are contiguous over a warp, writes are a column apart.
#include "kernel.h"

__global__ void transpose_naive(const float* in, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  out[x * n + y] = in[y * n + x];
}
BENCH_KERNEL(transpose_naive)
