// Softmax of each row by a block of 256: largest value, sum of exponentials, quotient. Both reductions are
// trees in shared memory.
#include "kernel.h"

__global__ void softmax(const float* in, float* out, int columns) {
  __shared__ float part[256];
  const float* row = in + blockIdx.x * columns;
  float* result = out + blockIdx.x * columns;
  int t = threadIdx.x;

  float most = -INFINITY;
  for (int i = t; i < columns; i += blockDim.x) most = fmaxf(most, row[i]);
  part[t] = most;
  __syncthreads();
  for (int offset = blockDim.x / 2; offset > 0; offset /= 2) {
    if (t < offset) part[t] = fmaxf(part[t], part[t + offset]);
    __syncthreads();
  }
  most = part[0];
  __syncthreads();

  float sum = 0;
  for (int i = t; i < columns; i += blockDim.x) {
    float power = expf(row[i] - most);
    result[i] = power;
    sum += power;
  }
  part[t] = sum;
  __syncthreads();
  for (int offset = blockDim.x / 2; offset > 0; offset /= 2) {
    if (t < offset) part[t] += part[t + offset];
    __syncthreads();
  }
  float scale = 1.0f / part[0];
  for (int i = t; i < columns; i += blockDim.x) result[i] *= scale;
}
BENCH_KERNEL(softmax)
