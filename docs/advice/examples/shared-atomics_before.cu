// docs/advice/shared-atomics.md, before.
#include "example.h"

__global__ void histogram(const int* data, int* counts, int steps) {
  __shared__ int bins[64];
  if (threadIdx.x < 64) bins[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < steps; ++k) atomicAdd(&bins[(data[i] + k) % 64], 1);
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

int main() {
  int n = 1 << 19;
  histogram<<<n / 256, 256>>>(zeros<int>(n), zeros<int>(64), 64);
  finish();
}
