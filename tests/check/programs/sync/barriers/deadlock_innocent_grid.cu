// clean: all blocks come to the grid's barrier, twice
#include <cooperative_groups.h>
__global__ void k(int* x) {
  auto grid = cooperative_groups::this_grid();
  x[grid.thread_rank()] = 1;
  grid.sync();
  int y = x[grid.size() - 1 - grid.thread_rank()];
  grid.sync();
  x[grid.thread_rank()] = y;
}
int main() {
  int* x;
  cudaMalloc(&x, 512);
  void* arguments[] = {&x};
  cudaLaunchCooperativeKernel((void*)k, 4, 32, arguments);
  cudaDeviceSynchronize();
  cudaFree(x);
}
