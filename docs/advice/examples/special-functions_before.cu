// docs/advice/special-functions.md, before.
#include "example.h"

__global__ void waves(float* out, const float* in, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < steps; ++k) sum += __sinf(in[i] + k) * __cosf(in[i] + k);
  out[i] = sum;
}

int main() {
  int n = 1 << 20;
  waves<<<n / 256, 256>>>(zeros<float>(n), zeros<float>(n), 64);
  finish();
}
