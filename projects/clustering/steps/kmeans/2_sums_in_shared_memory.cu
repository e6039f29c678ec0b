// Step 2: the sums of a block in shared memory.
//
// Points of one block add to sums of their own, and the block adds them to the global ones at its end: an atomic
// addition in global memory for each coordinate of a cluster and block, not of a point. Assigning and adding up become
// one kernel, so a point's coordinates are still in the cache when they are added. Few large blocks are best: each
// takes many points.
//
// Clusters times dimensions is limited by shared memory: 12 bytes for each, here 48 KiB. Beyond it step 1 serves.
#include "kmeans.cuh"

constexpr int kBlocks = 128;

__global__ void assign_and_add_up(Problem p, const float* centres, int* labels, double* sums, int* counts,
                                  int* changed) {
  extern __shared__ double block_sums[];
  int* block_counts = reinterpret_cast<int*>(block_sums + p.clusters * p.dimensions);
  for (int i = threadIdx.x; i < p.clusters * p.dimensions; i += blockDim.x) block_sums[i] = 0;
  for (int i = threadIdx.x; i < p.clusters; i += blockDim.x) block_counts[i] = 0;
  __syncthreads();
  for (int point = blockIdx.x * blockDim.x + threadIdx.x; point < p.points; point += gridDim.x * blockDim.x) {
    const float* coordinates = p.coordinates + size_t(point) * p.dimensions;
    const int label = nearest(p, coordinates, centres);
    if (label != labels[point]) {
      labels[point] = label;
      atomicAdd(changed, 1);
    }
    atomicAdd(&block_counts[label], 1);
    for (int d = 0; d < p.dimensions; ++d) atomicAdd(&block_sums[label * p.dimensions + d], double(coordinates[d]));
  }
  __syncthreads();
  for (int i = threadIdx.x; i < p.clusters * p.dimensions; i += blockDim.x)
    if (block_sums[i] != 0) atomicAdd(&sums[i], block_sums[i]);
  for (int i = threadIdx.x; i < p.clusters; i += blockDim.x)
    if (block_counts[i] != 0) atomicAdd(&counts[i], block_counts[i]);
}

extern "C" void iterate(const float* coordinates, float* centres, int* labels, double* sums, int* counts, int* changed,
                        int points, int dimensions, int clusters) {
  const Problem p{coordinates, points, dimensions, clusters};
  const int blocks = min((points + kThreads - 1) / kThreads, kBlocks);
  const size_t shared = size_t(clusters) * dimensions * sizeof(double) + clusters * sizeof(int);
  clear(p, sums, counts, changed);
  assign_and_add_up<<<blocks, kThreads, shared>>>(p, centres, labels, sums, counts, changed);
  move_centres(p, sums, counts, centres);
}
