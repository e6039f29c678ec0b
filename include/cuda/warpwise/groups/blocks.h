// The groups of whole blocks: thread_block, cluster_group, grid_group.
#pragma once

#include "details.h"

namespace cooperative_groups {

// Scratch space that older GPUs need for tiles of more than a warp; it is not used here (tiles.h).
template <unsigned int MaxBlockSize = 1024> struct block_tile_memory {
  char unused[1];
};

class thread_block {
 public:
  struct arrival_token {};
  static WARPWISE_CGM void sync() { __syncthreads(); }
  // A barrier in two steps, arrive and wait.
  static WARPWISE_CGM arrival_token barrier_arrive() { return {}; }
  static WARPWISE_CGM void barrier_wait(arrival_token&&) { __syncthreads(); }
  static WARPWISE_CGM unsigned int thread_rank() { return details::thread_in_block(); }
  static WARPWISE_CGM unsigned int num_threads() { return details::threads_of_block(); }
  static WARPWISE_CGM unsigned int size() { return num_threads(); }
  static WARPWISE_CGM dim3 group_index() { return blockIdx; }
  static WARPWISE_CGM dim3 thread_index() { return threadIdx; }
  static WARPWISE_CGM dim3 group_dim() { return blockDim; }
  static WARPWISE_CGM dim3 dim_threads() { return blockDim; }
};
WARPWISE_CG thread_block this_thread_block() { return {}; }
template <unsigned int MaxBlockSize> WARPWISE_CG thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) { return {}; }

namespace details {

// The barrier of a grid's blocks: each round adds 2^31 in all, so the top bit flips when the last block has arrived,
// and the counter is ready for the next round without a reset.
static __device__ unsigned int grid_barrier;

WARPWISE_CG unsigned int arrive_at_grid() {
  unsigned int before = 0;
  __syncthreads();
  if (thread_in_block() == 0) {
    const unsigned int blocks = static_cast<unsigned int>(blocks_of_grid());
    const unsigned int share = block_in_grid() == 0 ? 0x80000000u - (blocks - 1) : 1u;
    __threadfence();
    before = atomicAdd(&grid_barrier, share);
  }
  return before;
}
WARPWISE_CG void wait_for_grid(unsigned int before) {
  if (thread_in_block() == 0) {
    while (((before ^ *static_cast<volatile unsigned int*>(&grid_barrier)) & 0x80000000u) == 0) __nanosleep(20);
    __threadfence();
  }
  __syncthreads();
}

// The driver gives the blocks of a cooperative launch a workspace, whose address is in two registers.
WARPWISE_CG bool is_cooperative_launch() {
  unsigned int high, low;
  asm("mov.u32 %0, %%envreg1;" : "=r"(high));
  asm("mov.u32 %0, %%envreg2;" : "=r"(low));
  return (high | low) != 0;
}
// As NVIDIA's header does. The name is what messages show.
WARPWISE_CG void needs_cudaLaunchCooperativeKernel() {
  if (!is_cooperative_launch()) __trap();
}

}  // namespace details

class grid_group {
 public:
  struct arrival_token {
    unsigned int before;
  };
  // These functions return only if all blocks are resident, which cudaLaunchCooperativeKernel guarantees.
  WARPWISE_CGM void sync() const { barrier_wait(barrier_arrive()); }
  WARPWISE_CGM arrival_token barrier_arrive() const {
    details::needs_cudaLaunchCooperativeKernel();
    return {details::arrive_at_grid()};
  }
  WARPWISE_CGM void barrier_wait(arrival_token&& token) const { details::wait_for_grid(token.before); }
  WARPWISE_CGM bool is_valid() const { return details::is_cooperative_launch(); }
  WARPWISE_CGM unsigned long long block_rank() const { return details::block_in_grid(); }
  WARPWISE_CGM unsigned long long num_blocks() const { return details::blocks_of_grid(); }
  WARPWISE_CGM unsigned long long thread_rank() const {
    return details::block_in_grid() * details::threads_of_block() + details::thread_in_block();
  }
  WARPWISE_CGM unsigned long long num_threads() const { return details::blocks_of_grid() * details::threads_of_block(); }
  WARPWISE_CGM unsigned long long size() const { return num_threads(); }
  WARPWISE_CGM dim3 group_dim() const { return gridDim; }
  WARPWISE_CGM dim3 dim_blocks() const { return gridDim; }
  WARPWISE_CGM dim3 block_index() const { return blockIdx; }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  WARPWISE_CGM dim3 cluster_index() const { return __clusterIdx(); }
  WARPWISE_CGM dim3 dim_clusters() const { return __clusterGridDimInClusters(); }
  WARPWISE_CGM unsigned long long num_clusters() const {
    const dim3 n = dim_clusters();
    return static_cast<unsigned long long>(n.x) * n.y * n.z;
  }
  WARPWISE_CGM unsigned long long cluster_rank() const {
    const dim3 n = dim_clusters(), at = cluster_index();
    return (static_cast<unsigned long long>(at.z) * n.y + at.y) * n.x + at.x;
  }
#endif
};
WARPWISE_CG grid_group this_grid() { return {}; }

// One grid over several devices: CUDA 13 has removed it, and no modelled device supports it.
class multi_grid_group;
__attribute__((device, unavailable("grids over several devices are gone from CUDA 13; synchronise the devices from the host")))
multi_grid_group this_multi_grid();

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
class cluster_group {
 public:
  struct arrival_token {};
  static WARPWISE_CGM void sync() { __cluster_barrier_arrive(), __cluster_barrier_wait(); }
  static WARPWISE_CGM arrival_token barrier_arrive() { return __cluster_barrier_arrive(), arrival_token(); }
  static WARPWISE_CGM void barrier_wait(arrival_token&&) { __cluster_barrier_wait(); }
  static WARPWISE_CGM void barrier_wait() { __cluster_barrier_wait(); }
  static WARPWISE_CGM unsigned int block_rank() { return __clusterRelativeBlockRank(); }
  static WARPWISE_CGM unsigned int num_blocks() { return __clusterSizeInBlocks(); }
  static WARPWISE_CGM dim3 block_index() { return __clusterRelativeBlockIdx(); }
  static WARPWISE_CGM dim3 dim_blocks() { return __clusterDim(); }
  static WARPWISE_CGM dim3 thread_index() {
    const dim3 at = block_index();
    return dim3(at.x * blockDim.x + threadIdx.x, at.y * blockDim.y + threadIdx.y, at.z * blockDim.z + threadIdx.z);
  }
  static WARPWISE_CGM dim3 dim_threads() {
    const dim3 n = dim_blocks();
    return dim3(n.x * blockDim.x, n.y * blockDim.y, n.z * blockDim.z);
  }
  static WARPWISE_CGM unsigned int thread_rank() { return block_rank() * details::threads_of_block() + details::thread_in_block(); }
  static WARPWISE_CGM unsigned int num_threads() { return num_blocks() * details::threads_of_block(); }
  static WARPWISE_CGM unsigned int size() { return num_threads(); }
  template <class T> static WARPWISE_CGM T* map_shared_rank(T* p, int rank) {
    return static_cast<T*>(__cluster_map_shared_rank(p, static_cast<unsigned int>(rank)));
  }
  template <class T> static WARPWISE_CGM unsigned int query_shared_rank(const T* p) { return __cluster_query_shared_rank(p); }
};
WARPWISE_CG cluster_group this_cluster() { return {}; }
#endif

}  // namespace cooperative_groups
