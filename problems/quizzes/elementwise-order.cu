#include <cstdio>

__global__ void twice(int* value) { *value *= 2; }
__global__ void add_three(int* value) { *value += 3; }

int main() {
  int *device, value = 1;
  cudaMalloc(&device, sizeof value);
  cudaMemcpy(device, &value, sizeof value, cudaMemcpyHostToDevice);
  twice<<<1, 1>>>(device);
  add_three<<<1, 1>>>(device);
  twice<<<1, 1>>>(device);
  cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost);
  cudaFree(device);
  std::printf("%d\n", value);
}
