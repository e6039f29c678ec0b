// docs/advice/idle-lanes.md, after.
#include "example.h"

constexpr int kThreads = 256;

__global__ void polynomial(float* data, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = data[i], b = a + 1, c = a + 2, d = a + 3;
  for (int k = 0; k < steps; ++k) a = a * 0.5f + 1, b = b * 0.5f + 1, c = c * 0.5f + 1, d = d * 0.5f + 1;
  data[i] = a + b + c + d;
}

int main() {
  int n = 33 * 256 * 64;
  polynomial<<<n / kThreads, kThreads>>>(zeros<float>(n), 256);
  finish();
}
