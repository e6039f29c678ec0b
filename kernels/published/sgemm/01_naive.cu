// Step 1: one thread for each element of C, in the simplest way.
//
// threadIdx.x, which runs fastest through a warp, counts rows. So the 32 threads of a warp read 32 rows of A: 32 cache lines
// for one load, each for only 4 bytes.
#include "sgemm.h"

const int kMultiple = 1;

constexpr int kBlock = 32;

__global__ void sgemm_naive(Problem p) {
  int row = blockIdx.x * kBlock + threadIdx.x, column = blockIdx.y * kBlock + threadIdx.y;
  if (row >= p.n || column >= p.n) return;
  float sum = 0;
  for (int k = 0; k < p.n; ++k) sum += p.a[row * p.n + k] * p.b[k * p.n + column];
  p.c[row * p.n + column] = p.alpha * sum + p.beta * p.c[row * p.n + column];
}

void sgemm(const Problem& p) {
  int blocks = (p.n + kBlock - 1) / kBlock;
  sgemm_naive<<<dim3(blocks, blocks), dim3(kBlock, kBlock)>>>(p);
}
