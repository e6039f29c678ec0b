// docs/advice/host-ping-pong.md, after.
#include "example.h"

__global__ void step(float* data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = data[i] * 0.5f + 1;
}

__global__ void first_is_zero(float* data) { data[0] = 0; }

int main() {
  int n = 1 << 20;
  float* data = zeros<float>(n);
  for (int k = 0; k < 10; ++k) {
    step<<<n / 256, 256>>>(data);
    first_is_zero<<<1, 1>>>(data);
  }
  finish();
}
