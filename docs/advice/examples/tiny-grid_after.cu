// docs/advice/tiny-grid.md, after.
#include "example.h"

constexpr int kBlocks = 132 * 8;

__global__ void polynomial(float* data, int n, int steps) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float x = data[i];
    for (int k = 0; k < steps; ++k) x = x * 0.5f + 1;
    data[i] = x;
  }
}

int main() {
  int n = 1 << 22;
  polynomial<<<kBlocks, 256>>>(zeros<float>(n), n, 64);
  finish();
}
