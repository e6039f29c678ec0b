// out = inᵀ through a 32×32 tile in shared memory (one column of padding): reads and writes of global
// memory are contiguous. Blocks of 32×8, four rows a thread.
#include "kernel.h"

constexpr int kTile = 32, kRows = 8;

__global__ void transpose_tiled(const float* in, float* out, int n) {
  __shared__ float tile[kTile][kTile + 1];
  int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x, y = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
BENCH_KERNEL(transpose_tiled)
