#include <cstdio>

__global__ void count(int* elements, int n) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = thread; i < n; i += gridDim.x * blockDim.x) ++elements[thread];
}

int main() {
  int *device, elements[8];
  cudaMalloc(&device, sizeof elements);
  cudaMemset(device, 0, sizeof elements);
  count<<<2, 4>>>(device, 20);
  cudaMemcpy(elements, device, sizeof elements, cudaMemcpyDeviceToHost);
  cudaFree(device);
  std::printf("%d %d\n", elements[0], elements[7]);
}
