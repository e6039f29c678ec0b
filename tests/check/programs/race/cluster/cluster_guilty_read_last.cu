// Each block reads its neighbour's numbers and ends; the neighbour may have ended before.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int* out) {
  __shared__ int s[32];
  cg::cluster_group cluster = cg::this_cluster();
  s[threadIdx.x] = threadIdx.x + 100 * cluster.block_rank();
  cluster.sync();
  int* other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
  out[blockIdx.x * 32 + threadIdx.x] = other[threadIdx.x];  // finds C0211
}
int main() {
  int* out;
  cudaMalloc(&out, 512);
  cudaMemset(out, 0, 512);
  cudaLaunchAttribute cluster;
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {2, 1, 1};
  cudaLaunchConfig_t launch = {};
  launch.gridDim = 4;
  launch.blockDim = 32;
  launch.attrs = &cluster;
  launch.numAttrs = 1;
  cudaLaunchKernelEx(&launch, k, out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
