// docs/advice/synchronous-copies.md, after.
#include "example.h"

__global__ void step(float* data, const float* shift) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = data[i] * 0.5f + *shift;
}

int main() {
  int n = 1 << 16, steps = 64;
  float *data = zeros<float>(n), *shift = zeros<float>(1), *shifts;
  check(cudaMallocHost(&shifts, steps * sizeof(float)));
  for (int k = 0; k < steps; ++k) shifts[k] = 0.1f * k;
  for (int k = 0; k < steps; ++k) {
    check(cudaMemcpyAsync(shift, shifts + k, sizeof(float), cudaMemcpyHostToDevice));
    step<<<n / 256, 256>>>(data, shift);
  }
  finish();
  check(cudaFreeHost(shifts));
}
