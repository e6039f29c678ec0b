// docs/advice/serial-copies.md, after.
#include "example.h"

__global__ void iterate(float* data, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[i];
  for (int k = 0; k < steps; ++k) x = x * x - 0.7f;
  data[i] = x;
}

int main() {
  int n = 1 << 23, pieces = 8, m = n / pieces;
  float *data = zeros<float>(n), *host;
  check(cudaMallocHost(&host, n * sizeof(float)));
  cudaStream_t streams[4];
  for (cudaStream_t& stream : streams) check(cudaStreamCreate(&stream));
  for (int p = 0; p < pieces; ++p) {
    cudaStream_t stream = streams[p % 4];
    check(cudaMemcpyAsync(data + p * m, host + p * m, m * sizeof(float), cudaMemcpyHostToDevice, stream));
    iterate<<<m / 256, 256, 0, stream>>>(data + p * m, 1000);
    check(cudaMemcpyAsync(host + p * m, data + p * m, m * sizeof(float), cudaMemcpyDeviceToHost, stream));
  }
  finish();
  check(cudaFreeHost(host));
}
