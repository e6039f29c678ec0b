// docs/advice/shared-atomics.md, before.
#include "example.h"

__global__ void sums_by_bin(const int* data, int* sums, int steps) {
  __shared__ int bins[64];
  if (threadIdx.x < 64) bins[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < steps; ++k) atomicAdd(&bins[(data[i] + k) % 64], data[i] + k);
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&sums[threadIdx.x], bins[threadIdx.x]);
}

int main() {
  int n = 1 << 19;
  sums_by_bin<<<n / 256, 256>>>(zeros<int>(n), zeros<int>(64), 64);
  finish();
}
