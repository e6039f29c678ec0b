// docs/advice/data-reuse.md, after.
#include "example.h"

// A block brings 64 rows of a and 64 columns of b, 16 at a time; each thread computes four columns of four rows from them.
__global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[16][65], tile_b[16][64];
  int thread = threadIdx.y * 16 + threadIdx.x, first_row = blockIdx.y * 64, first_column = blockIdx.x * 64;
  float sums[4][4] = {};
  for (int start = 0; start < n; start += 16) {
    for (int i = thread; i < 1024; i += 256) {
      tile_a[i % 16][i / 16] = a[(first_row + i / 16) * n + start + i % 16];
      tile_b[i / 64][i % 64] = b[(start + i / 64) * n + first_column + i % 64];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k)
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) sums[i][j] += tile_a[k][threadIdx.y * 4 + i] * tile_b[k][threadIdx.x + j * 16];
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) c[(first_row + threadIdx.y * 4 + i) * n + first_column + threadIdx.x + j * 16] = sums[i][j];
}

int main() {
  int n = 1024;
  product<<<dim3(n / 64, n / 64), dim3(16, 16)>>>(zeros<float>(n * n), zeros<float>(n * n), zeros<float>(n * n), n);
  finish();
}
