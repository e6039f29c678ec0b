// Rows over clusters: each block of a cluster of eight sums a part of a row, adds the sums of the others out of their
// shared memory, and scales its part.
#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

#define BLOCKS 8  // of a cluster; Clang keeps no other sizes than numbers

constexpr int kThreads = 256, kRows = 64, kColumns = 32768, kPart = kColumns / BLOCKS;

__global__ void __cluster_dims__(BLOCKS) scale_rows(float* rows) {
  __shared__ float sums[kThreads / 32], part;
  cg::cluster_group cluster = cg::this_cluster();
  float* mine = rows + size_t(blockIdx.x / BLOCKS) * kColumns + cluster.block_rank() * kPart;
  float sum = 0;
  for (int i = threadIdx.x; i < kPart; i += kThreads) sum += mine[i];
  for (int way = 16; way > 0; way /= 2) sum += __shfl_xor_sync(~0u, sum, way);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    part = 0;
    for (float s : sums) part += s;
  }
  cluster.sync();
  float total = 0;
  for (int rank = 0; rank < BLOCKS; ++rank) total += *cluster.map_shared_rank(&part, rank);
  cluster.sync();
  for (int i = threadIdx.x; i < kPart; i += kThreads) mine[i] /= total;
}

int main() {
  std::vector<float> rows(size_t(kRows) * kColumns);
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = float(i % 7 + 1);
  float* on_device;
  cudaMalloc(&on_device, rows.size() * sizeof(float));
  for (int turn = 0; turn < 3; ++turn) {
    cudaMemcpy(on_device, rows.data(), rows.size() * sizeof(float), cudaMemcpyHostToDevice);
    scale_rows<<<kRows * BLOCKS, kThreads>>>(on_device);
  }
  cudaMemcpy(rows.data(), on_device, rows.size() * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float value : rows) sum += value;
  std::printf("%s, rows sum to %.3f\n", cudaGetErrorString(cudaGetLastError()), sum / kRows);
}
