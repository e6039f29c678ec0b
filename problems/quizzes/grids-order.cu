#include <cstdio>

__global__ void who() {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (blockIdx.x == 1 && blockIdx.y == 1 && threadIdx.x == 1 && threadIdx.y == 0) printf("%d %d\n", x, y);
}

int main() {
  who<<<dim3(2, 2), dim3(4, 2)>>>();
  cudaDeviceSynchronize();
}
