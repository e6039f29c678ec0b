// docs/advice/unrolling.md, before.
#include "example.h"

__global__ void polynomial(float* out, int steps) {
  float x = threadIdx.x * 1e-3f;
  for (int k = 0; k < steps; ++k) x = x * 0.5f + 1.0f;
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

int main() {
  polynomial<<<132, 128>>>(zeros<float>(132 * 128), 1 << 16);
  finish();
}
