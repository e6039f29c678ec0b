// docs/advice/serial-copies.md, before.
#include "example.h"

__global__ void iterate(float* data, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[i];
  for (int k = 0; k < steps; ++k) x = x * x - 0.7f;
  data[i] = x;
}

int main() {
  int n = 1 << 23;
  float *data = zeros<float>(n), *host;
  check(cudaMallocHost(&host, n * sizeof(float)));
  check(cudaMemcpy(data, host, n * sizeof(float), cudaMemcpyHostToDevice));
  iterate<<<n / 256, 256>>>(data, 1000);
  check(cudaMemcpy(host, data, n * sizeof(float), cudaMemcpyDeviceToHost));
  finish();
  check(cudaFreeHost(host));
}
