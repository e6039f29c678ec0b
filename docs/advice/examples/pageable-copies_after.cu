// docs/advice/pageable-copies.md, after.
#include "example.h"

__global__ void step(float* data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = data[i] * 0.5f + 1;
}

int main() {
  int n = 1 << 22;
  float* data = zeros<float>(n);
  float* host;
  check(cudaMallocHost(&host, n * sizeof(float)));
  for (int k = 0; k < 4; ++k) {
    check(cudaMemcpy(data, host, n * sizeof(float), cudaMemcpyHostToDevice));
    step<<<n / 256, 256>>>(data);
  }
  finish();
  check(cudaFreeHost(host));
}
