// clean: behind the last barrier of the cluster each block uses its own memory alone, by either name
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int* out) {
  __shared__ int s[32];
  cg::cluster_group cluster = cg::this_cluster();
  cluster.map_shared_rank(s, cluster.block_rank() ^ 1)[threadIdx.x] = threadIdx.x;
  cluster.sync();
  int* own = cluster.map_shared_rank(s, cluster.block_rank());
  out[blockIdx.x * 32 + threadIdx.x] = own[threadIdx.x] + s[31 - threadIdx.x];
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
