// C = A · B through 16×16 tiles in shared memory. n is a multiple of 16.
#include "kernel.h"

constexpr int kTile = 16;

__global__ void sgemm_tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * kTile + x, row = blockIdx.y * kTile + y;
  float sum = 0;
  for (int t = 0; t < n / kTile; ++t) {
    tile_a[y][x] = a[row * n + t * kTile + x];
    tile_b[y][x] = b[(t * kTile + y) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
BENCH_KERNEL(sgemm_tiled)
