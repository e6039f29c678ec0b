// A __managed__ variable: one location for host and kernel.
#include <cstdio>

__managed__ int counter = 5;

__global__ void add(int n) { counter += n; }

int main() {
  std::printf("%d\n", counter);
  add<<<1, 1>>>(2);
  cudaDeviceSynchronize();
  std::printf("%d\n", counter);
  counter = 10;
  add<<<1, 1>>>(3);
  cudaDeviceSynchronize();
  std::printf("%d %s\n", counter, cudaGetErrorName(cudaGetLastError()));
  return 0;
}
