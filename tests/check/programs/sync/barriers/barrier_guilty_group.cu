// The same through a thread block group.
#include <cooperative_groups.h>
__global__ void k(int* x) {
  auto block = cooperative_groups::this_thread_block();
  if (block.thread_rank() % 2 == 0) {
    x[block.thread_rank()] = 1;
    block.sync();  // finds C0401
    x[block.thread_rank()] += 1;
  }
  x[64 + block.thread_rank()] = 2;
}
int main() {
  int* x;
  cudaMalloc(&x, 1024);
  k<<<1, 64>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
