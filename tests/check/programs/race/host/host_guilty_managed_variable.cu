// A counter that the kernel writes is read before the host has waited.
#include <cstdio>
__managed__ int count;
__global__ void increment() {
  atomicAdd(&count, 0);
  if (threadIdx.x == 0) count = 32;  // finds C0205
}
int main() {
  increment<<<1, 1>>>();
  int early = count;  // finds C0205
  cudaDeviceSynchronize();
  std::printf("%d %d\n", early, count);
}
