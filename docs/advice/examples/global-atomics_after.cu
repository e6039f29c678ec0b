// docs/advice/global-atomics.md, after.
#include "example.h"

__global__ void sum_of(const float* in, float* sum, int n) {
  __shared__ float parts[8];
  float part = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) part += in[i];
  for (int step = 16; step > 0; step /= 2) part += __shfl_down_sync(0xffffffff, part, step);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = part;
  __syncthreads();
  if (threadIdx.x >= 8) return;
  part = parts[threadIdx.x];
  for (int step = 4; step > 0; step /= 2) part += __shfl_down_sync(0xff, part, step);
  if (threadIdx.x == 0) atomicAdd(&sum[blockIdx.x % 7], part);
}

int main() {
  int n = 1 << 22;
  sum_of<<<512, 256>>>(zeros<float>(n), zeros<float>(7), n);
  finish();
}
