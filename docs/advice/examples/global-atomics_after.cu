// docs/advice/global-atomics.md, after.
#include "example.h"

__global__ void sum_of(const float* in, float* sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float part = in[i];
  for (int step = 16; step > 0; step /= 2) part += __shfl_down_sync(0xffffffff, part, step);
  if (threadIdx.x % 32 == 0) atomicAdd(&sum[i / 32 % 7], part);
}

int main() {
  int n = 1 << 22;
  sum_of<<<n / 256, 256>>>(zeros<float>(n), zeros<float>(7));
  finish();
}
