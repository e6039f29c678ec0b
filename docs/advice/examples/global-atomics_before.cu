// docs/advice/global-atomics.md, before.
#include "example.h"

__global__ void sum_of(const float* in, float* sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&sum[i % 7], in[i]);
}

int main() {
  int n = 1 << 22;
  sum_of<<<n / 256, 256>>>(zeros<float>(n), zeros<float>(7));
  finish();
}
