// docs/advice/unrolling.md, after.
#include "example.h"

__global__ void polynomial(float* out, int steps) {
  float x[8];
  for (int j = 0; j < 8; ++j) x[j] = threadIdx.x * 1e-3f + j;
  for (int k = 0; k < steps; k += 8)
#pragma unroll
    for (int j = 0; j < 8; ++j) x[j] = x[j] * 0.5f + 1.0f;
  float sum = 0;
  for (int j = 0; j < 8; ++j) sum += x[j];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
  polynomial<<<132, 128>>>(zeros<float>(132 * 128), 1 << 16);
  finish();
}
