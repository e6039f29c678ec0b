// C = A · B: a thread per element of C, everything from global memory.
#include "kernel.h"

__global__ void sgemm_naive(const float* a, const float* b, float* c, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
BENCH_KERNEL(sgemm_naive)
