// A ring: the blocks meet between the rounds, but not behind the last one.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int* out) {
  __shared__ int s[2][32];
  cg::cluster_group cluster = cg::this_cluster();
  int i = threadIdx.x, next = (cluster.block_rank() + 1) % 4;
  s[0][i] = i;
  for (int round = 0; round < 3; ++round) {
    cluster.sync();
    s[(round + 1) % 2][i] = cluster.map_shared_rank(s[round % 2], next)[i] + 1;  // finds C0211
  }
  out[blockIdx.x * 32 + i] = s[1][i];
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
