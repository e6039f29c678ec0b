// What one parameter leads to is read, and written by way of another one: the same allocation.
#include <cuda_runtime.h>

__global__ void shift(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 64];  // finds C0203
}

int main() {
  int* data;
  cudaMalloc(&data, 192 * sizeof(int));
  cudaMemset(data, 0, 192 * sizeof(int));
  shift<<<2, 64>>>(data, data);
  cudaDeviceSynchronize();
  cudaFree(data);
}
