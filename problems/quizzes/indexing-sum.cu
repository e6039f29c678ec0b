#include <cstdio>

__device__ int total;

__global__ void add() { atomicAdd(&total, int(threadIdx.x)); }

int main() {
  add<<<1, 8>>>();
  int sum = 0;
  cudaMemcpyFromSymbol(&sum, total, sizeof sum);
  std::printf("%d\n", sum);
}
