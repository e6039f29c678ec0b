// docs/advice/misaligned-access.md, after.
#include "example.h"

__global__ void scale(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * in[i];
}

int main() {
  int n = 1 << 24;
  scale<<<n / 256, 256>>>(zeros<float>(n + 1), zeros<float>(n + 1), n);
  finish();
}
