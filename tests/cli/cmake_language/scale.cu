#include "scale.h"

__global__ void multiply(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= FACTOR;
}

int scale(float* host, int n) {
  float* device = nullptr;
  if (cudaMalloc(&device, n * sizeof(float))) return 1;
  cudaMemcpy(device, host, n * sizeof(float), cudaMemcpyHostToDevice);
  multiply<<<(n + 127) / 128, 128>>>(device, n);
  cudaMemcpy(host, device, n * sizeof(float), cudaMemcpyDeviceToHost);
  return cudaFree(device) != cudaSuccess || cudaGetLastError() != cudaSuccess;
}
