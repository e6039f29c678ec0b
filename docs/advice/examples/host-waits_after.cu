// docs/advice/host-waits.md, after.
#include "example.h"

__global__ void step(float* data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = data[i] * 0.5f + 1;
}

int main() {
  int n = 1 << 18;
  float* data = zeros<float>(n);
  for (int k = 0; k < 100; ++k) step<<<n / 256, 256>>>(data);
  finish();
}
