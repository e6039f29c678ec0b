#include <cstdio>

__global__ void lengths(const int* start, int* length, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) length[row] = start[row + 1] - start[row];
}

int main() {
  const int start[] = {0, 3, 3, 5};
  int *from, *to, length[3];
  cudaMalloc(&from, sizeof start);
  cudaMalloc(&to, sizeof length);
  cudaMemcpy(from, start, sizeof start, cudaMemcpyHostToDevice);
  lengths<<<1, 32>>>(from, to, 3);
  cudaMemcpy(length, to, sizeof length, cudaMemcpyDeviceToHost);
  cudaFree(from);
  cudaFree(to);
  std::printf("%d %d %d\n", length[0], length[1], length[2]);
}
