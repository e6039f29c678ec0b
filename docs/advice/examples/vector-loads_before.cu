// docs/advice/vector-loads.md, before.
#include "example.h"

__global__ void sums(const float* in, float* out, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int row = 0; row < rows; ++row)
    for (int k = 0; k < 4; ++k) sum += in[(row * 4 + k) * 1024 + i % 1024];
  out[i] = sum;
}

int main() {
  int n = 1 << 18;
  sums<<<n / 256, 256>>>(zeros<float>(64 * 4096), zeros<float>(n), 64);
  finish();
}
