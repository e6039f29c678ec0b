// docs/advice/double-precision.md, after.
#include "example.h"

__global__ void polynomial(float* data, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[i];
  for (int k = 0; k < steps; ++k) x = x * 0.9f + 0.1f;
  data[i] = x;
}

int main() {
  int n = 1 << 19;
  polynomial<<<n / 256, 256>>>(zeros<float>(n), 256);
  finish();
}
