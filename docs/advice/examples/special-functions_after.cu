// docs/advice/special-functions.md, after.
#include "example.h"

// exp(x + k) = exp(x) exp(k): each step multiplies by e.
__global__ void waves(float* out, const float* in, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0, factor = __sinf(in[i]) * __expf(in[i]);
  for (int k = 0; k < steps; ++k) {
    sum += factor;
    factor *= 2.7182818f;
  }
  out[i] = sum;
}

int main() {
  int n = 1 << 20;
  waves<<<n / 256, 256>>>(zeros<float>(n), zeros<float>(n), 64);
  finish();
}
