// Only half of the blocks come to the grid's barrier.
// options: --timeout=1
#include <cooperative_groups.h>
__global__ void k(int* x) {
  if (blockIdx.x % 2 == 0) cooperative_groups::this_grid().sync();  // finds C0407
  if (threadIdx.x == 0) x[blockIdx.x] = 1;
}
int main() {
  int* x;
  cudaMalloc(&x, 16);
  void* arguments[] = {&x};
  cudaLaunchCooperativeKernel((void*)k, 4, 32, arguments);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(x);
  return e == cudaErrorInvalidValue;
}
