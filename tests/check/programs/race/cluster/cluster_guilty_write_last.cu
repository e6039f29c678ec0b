// The last step adds to the first block's counter, and only the block itself waits, for its own threads.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int* out) {
  __shared__ int sum;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) sum = 0;
  cluster.sync();
  atomicAdd(cluster.map_shared_rank(&sum, 0), threadIdx.x);  // finds C0211
  __syncthreads();
  if (cluster.block_rank() != 0 && threadIdx.x == 0) out[blockIdx.x] = 1;
}
int main() {
  int* out;
  cudaMalloc(&out, 512);
  cudaMemset(out, 0, 512);
  cudaLaunchAttribute cluster;
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {4, 1, 1};
  cudaLaunchConfig_t launch = {};
  launch.gridDim = 4;
  launch.blockDim = 32;
  launch.attrs = &cluster;
  launch.numAttrs = 1;
  cudaLaunchKernelEx(&launch, k, out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
