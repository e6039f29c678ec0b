// docs/advice/host-ping-pong.md, before.
#include "example.h"

__global__ void step(float* data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = data[i] * 0.5f + 1;
}

int main() {
  int n = 1 << 20;
  float *data = zeros<float>(n), *host = new float[n];
  for (int k = 0; k < 10; ++k) {
    step<<<n / 256, 256>>>(data);
    check(cudaMemcpy(host, data, n * sizeof(float), cudaMemcpyDeviceToHost));
    host[0] = 0;
    check(cudaMemcpy(data, host, n * sizeof(float), cudaMemcpyHostToDevice));
  }
  delete[] host;
  finish();
}
