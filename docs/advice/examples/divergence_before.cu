// docs/advice/divergence.md, before.
#include "example.h"

__global__ void two_ways(float* data, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[i];
  if (threadIdx.x % 2 == 0)
    for (int k = 0; k < steps; ++k) x = x * 0.5f + 1;
  else
    for (int k = 0; k < steps; ++k) x = x * 0.25f - 1;
  data[i] = x;
}

int main() {
  int n = 1 << 19;
  two_ways<<<n / 256, 256>>>(zeros<float>(n), 512);
  finish();
}
