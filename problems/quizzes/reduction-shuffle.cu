#include <cstdio>

__global__ void sum() {
  int value = threadIdx.x;
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);
  if (threadIdx.x == 0) printf("%d\n", value);
}

int main() {
  sum<<<1, 32>>>();
  cudaDeviceSynchronize();
}
