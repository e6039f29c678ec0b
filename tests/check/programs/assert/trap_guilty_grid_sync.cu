// A barrier of all blocks, in a launch that does not promise that all of them run at once.
// says: a barrier of the whole grid (grid.sync()) in a launch that is not cooperative
// says: cudaLaunchCooperativeKernel
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void sum(int* x) {
  cg::grid_group grid = cg::this_grid();
  if (!grid.is_valid()) x[grid.thread_rank()] = 1;
  grid.sync();  // finds C0702
  if (grid.thread_rank() == 0) x[0] += x[63];
}
int main() {
  int* x;
  cudaMalloc(&x, 256);
  sum<<<2, 32>>>(x);
  if (cudaError_t e = cudaDeviceSynchronize()) std::printf("%s\n", cudaGetErrorName(e));
  cudaFree(x);
}
