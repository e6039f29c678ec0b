// clean
// The host waits before it reads what the kernel wrote, and what it writes beside the kernel is a variable of its own.
#include <cstdio>
__managed__ int count;
__managed__ float weights[2000];
__managed__ int of_the_host = 1;
static int neighbour = 1;
__global__ void increment(float by) {
  atomicAdd(&count, 1);
  weights[threadIdx.x] += by;
}
int main() {
  for (int round = 0; round < 3; ++round) {
    weights[5] = 0;
    increment<<<1, 32>>>(2);
    of_the_host += 1;
    neighbour += 1;
    cudaDeviceSynchronize();
    if (weights[5] != 2 || count != 32 * (round + 1)) return 1;
  }
  std::printf("%d %d %d\n", count, of_the_host, neighbour);
  return of_the_host == 4 ? 0 : 1;
}
