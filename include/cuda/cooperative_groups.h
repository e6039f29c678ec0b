// Cooperative groups (CUDA C++ programming guide, "Cooperative Groups"): threads that synchronise and exchange
// values as objects.
//
//   thread_block            the block
//   grid_group              all blocks of a cooperative launch
//   cluster_group           the blocks of a cluster
//   thread_block_tile<N>    N neighbouring threads, N a power of two up to 32
//   coalesced_group         the threads of a warp that are here together
//   thread_group            any of the above but grid and cluster, by value
#pragma once

#include "cuda_runtime.h"

#define WARPWISE_CG static inline __attribute__((device, always_inline))
#define WARPWISE_CGM __attribute__((device, always_inline)) inline

namespace cooperative_groups {

namespace details {
WARPWISE_CG unsigned int lane() { return __nvvm_read_ptx_sreg_laneid(); }
WARPWISE_CG unsigned int lanes_below() { return (1u << lane()) - 1; }
WARPWISE_CG unsigned int thread_in_block() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
WARPWISE_CG unsigned int threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
WARPWISE_CG unsigned long long block_in_grid() {
  return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
WARPWISE_CG unsigned long long blocks_of_grid() {
  return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
}
// Where the blocks of a grid meet: each round adds up to 2^31, so the top bit flips when the last block has
// arrived, and the counter is ready for the next round without a reset.
static __device__ unsigned int grid_barrier;
WARPWISE_CG void sync_grid() {
  __syncthreads();
  if (thread_in_block() == 0) {
    const unsigned int blocks = static_cast<unsigned int>(blocks_of_grid());
    const unsigned int share = block_in_grid() == 0 ? 0x80000000u - (blocks - 1) : 1u;
    __threadfence();
    const unsigned int before = atomicAdd(&grid_barrier, share);
    while (((before ^ *static_cast<volatile unsigned int*>(&grid_barrier)) & 0x80000000u) == 0) __nanosleep(20);
    __threadfence();
  }
  __syncthreads();
}
// The lane of mask's n-th set bit, counted from 0.
WARPWISE_CG unsigned int nth_lane(unsigned int mask, unsigned int n) { return __fns(mask, 0, static_cast<int>(n) + 1); }

// A value of any size, 32 bits at a time.
template <class T, class Exchange> WARPWISE_CG T exchange(const T& value, Exchange how) {
  constexpr int words = (sizeof(T) + 3) / 4;
  unsigned int bits[words] = {};
  __builtin_memcpy(bits, &value, sizeof(T));
#pragma unroll
  for (int i = 0; i < words; ++i) bits[i] = how(bits[i]);
  T result;
  __builtin_memcpy(&result, bits, sizeof(T));
  return result;
}
}  // namespace details

class thread_block {
 public:
  static WARPWISE_CGM void sync() { __syncthreads(); }
  static WARPWISE_CGM unsigned int thread_rank() { return details::thread_in_block(); }
  static WARPWISE_CGM unsigned int num_threads() { return details::threads_of_block(); }
  static WARPWISE_CGM unsigned int size() { return num_threads(); }
  static WARPWISE_CGM dim3 group_index() { return blockIdx; }
  static WARPWISE_CGM dim3 thread_index() { return threadIdx; }
  static WARPWISE_CGM dim3 group_dim() { return blockDim; }
  static WARPWISE_CGM dim3 dim_threads() { return blockDim; }
};
WARPWISE_CG thread_block this_thread_block() { return {}; }

class grid_group {
 public:
  // Only in a kernel launched with cudaLaunchCooperativeKernel are all blocks resident, so that this returns.
  WARPWISE_CGM void sync() const { details::sync_grid(); }
  WARPWISE_CGM bool is_valid() const { return true; }
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
};
WARPWISE_CG grid_group this_grid() { return {}; }

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
class cluster_group {
 public:
  static WARPWISE_CGM void sync() { __cluster_barrier_arrive(), __cluster_barrier_wait(); }
  static WARPWISE_CGM void barrier_arrive() { __cluster_barrier_arrive(); }
  static WARPWISE_CGM void barrier_wait() { __cluster_barrier_wait(); }
  static WARPWISE_CGM unsigned int block_rank() { return __clusterRelativeBlockRank(); }
  static WARPWISE_CGM unsigned int num_blocks() { return __clusterSizeInBlocks(); }
  static WARPWISE_CGM dim3 block_index() { return __clusterRelativeBlockIdx(); }
  static WARPWISE_CGM dim3 dim_blocks() { return __clusterDim(); }
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

// Threads of one warp, named by the mask of their lanes; what tiles and coalesced groups share.
class coalesced_group {
 public:
  explicit WARPWISE_CGM coalesced_group(unsigned int mask) : mask_(mask) {}
  WARPWISE_CGM void sync() const { __syncwarp(mask_); }
  WARPWISE_CGM unsigned int num_threads() const { return static_cast<unsigned int>(__popc(mask_)); }
  WARPWISE_CGM unsigned int size() const { return num_threads(); }
  WARPWISE_CGM unsigned int thread_rank() const { return static_cast<unsigned int>(__popc(mask_ & details::lanes_below())); }
  WARPWISE_CGM unsigned int meta_group_rank() const { return 0; }
  WARPWISE_CGM unsigned int meta_group_size() const { return 1; }
  template <class T> WARPWISE_CGM T shfl(T v, unsigned int rank) const {
    const int source = static_cast<int>(details::nth_lane(mask_, rank % num_threads()));
    const unsigned int mask = mask_;
    return details::exchange(v, [=](unsigned int bits) { return __shfl_sync(mask, bits, source); });
  }
  template <class T> WARPWISE_CGM T shfl_down(T v, unsigned int delta) const {
    const unsigned int from = thread_rank() + delta, mask = mask_;
    const int source = from < num_threads() ? static_cast<int>(details::nth_lane(mask_, from)) : static_cast<int>(details::lane());
    return details::exchange(v, [=](unsigned int bits) { return __shfl_sync(mask, bits, source); });
  }
  template <class T> WARPWISE_CGM T shfl_up(T v, unsigned int delta) const {
    const unsigned int rank = thread_rank(), mask = mask_;
    const int source = rank >= delta ? static_cast<int>(details::nth_lane(mask_, rank - delta)) : static_cast<int>(details::lane());
    return details::exchange(v, [=](unsigned int bits) { return __shfl_sync(mask, bits, source); });
  }
  WARPWISE_CGM int any(int predicate) const { return __any_sync(mask_, predicate); }
  WARPWISE_CGM int all(int predicate) const { return __all_sync(mask_, predicate); }
  // Bit i stands for the thread of rank i.
  WARPWISE_CGM unsigned int ballot(int predicate) const { return compact(__ballot_sync(mask_, predicate)); }
  template <class T> WARPWISE_CGM unsigned int match_any(T v) const { return compact(__match_any_sync(mask_, v)); }
  template <class T> WARPWISE_CGM unsigned int match_all(T v, int& predicate) const {
    return compact(__match_all_sync(mask_, v, &predicate));
  }
  WARPWISE_CGM unsigned int lanes() const { return mask_; }

 private:
  WARPWISE_CGM unsigned int compact(unsigned int bits) const {
    unsigned int result = 0, rank = 0;
    for (unsigned int rest = mask_; rest; rest &= rest - 1, ++rank)
      if (bits & rest & (0u - rest)) result |= 1u << rank;
    return result;
  }
  unsigned int mask_;
};
WARPWISE_CG coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

template <unsigned int N, class Parent = void> class thread_block_tile {
  static_assert(N >= 1 && N <= 32 && (N & (N - 1)) == 0, "the size of a tile is a power of two, at most 32");

 public:
  WARPWISE_CGM thread_block_tile() : mask_((N == 32 ? 0xffffffffu : (1u << N % 32) - 1) << (details::lane() & ~(N - 1))) {}
  template <class Other> WARPWISE_CGM thread_block_tile(const thread_block_tile<N, Other>& other) : mask_(other.lanes()) {}
  WARPWISE_CGM void sync() const { __syncwarp(mask_); }
  static constexpr __device__ unsigned int num_threads() { return N; }
  static constexpr __device__ unsigned int size() { return N; }
  static WARPWISE_CGM unsigned int thread_rank() { return details::thread_in_block() & (N - 1); }
  static WARPWISE_CGM unsigned int meta_group_rank() { return details::thread_in_block() / N; }
  static WARPWISE_CGM unsigned int meta_group_size() { return (details::threads_of_block() + N - 1) / N; }
  template <class T> WARPWISE_CGM T shfl(T v, int rank) const {
    const unsigned int mask = mask_;
    return details::exchange(v, [=](unsigned int bits) { return __shfl_sync(mask, bits, rank, N); });
  }
  template <class T> WARPWISE_CGM T shfl_down(T v, unsigned int delta) const {
    const unsigned int mask = mask_;
    return details::exchange(v, [=](unsigned int bits) { return __shfl_down_sync(mask, bits, delta, N); });
  }
  template <class T> WARPWISE_CGM T shfl_up(T v, unsigned int delta) const {
    const unsigned int mask = mask_;
    return details::exchange(v, [=](unsigned int bits) { return __shfl_up_sync(mask, bits, delta, N); });
  }
  template <class T> WARPWISE_CGM T shfl_xor(T v, unsigned int lanes) const {
    const unsigned int mask = mask_;
    return details::exchange(v, [=](unsigned int bits) { return __shfl_xor_sync(mask, bits, static_cast<int>(lanes), N); });
  }
  WARPWISE_CGM int any(int predicate) const { return __any_sync(mask_, predicate); }
  WARPWISE_CGM int all(int predicate) const { return __all_sync(mask_, predicate); }
  WARPWISE_CGM unsigned int ballot(int predicate) const { return shift(__ballot_sync(mask_, predicate)); }
  template <class T> WARPWISE_CGM unsigned int match_any(T v) const { return shift(__match_any_sync(mask_, v)); }
  template <class T> WARPWISE_CGM unsigned int match_all(T v, int& predicate) const {
    return shift(__match_all_sync(mask_, v, &predicate));
  }
  WARPWISE_CGM unsigned int lanes() const { return mask_; }

 private:
  WARPWISE_CGM unsigned int shift(unsigned int bits) const { return (bits & mask_) >> (details::lane() & ~(N - 1)); }
  unsigned int mask_;
};

// A group whose kind is known at run time only.
class thread_group {
 public:
  WARPWISE_CGM thread_group(thread_block) : mask_(0) {}
  WARPWISE_CGM thread_group(const coalesced_group& g) : mask_(g.lanes()) {}
  template <unsigned int N, class P> WARPWISE_CGM thread_group(const thread_block_tile<N, P>& g) : mask_(g.lanes()) {}
  explicit WARPWISE_CGM thread_group(unsigned int mask) : mask_(mask) {}
  WARPWISE_CGM void sync() const {
    if (mask_) __syncwarp(mask_);
    else __syncthreads();
  }
  WARPWISE_CGM unsigned int size() const { return mask_ ? static_cast<unsigned int>(__popc(mask_)) : details::threads_of_block(); }
  WARPWISE_CGM unsigned int num_threads() const { return size(); }
  WARPWISE_CGM unsigned int thread_rank() const {
    return mask_ ? static_cast<unsigned int>(__popc(mask_ & details::lanes_below())) : details::thread_in_block();
  }
  WARPWISE_CGM unsigned int lanes() const { return mask_; }

 private:
  unsigned int mask_;  // of a warp's lanes; 0: the whole block
};

template <unsigned int N> WARPWISE_CG thread_block_tile<N, thread_block> tiled_partition(const thread_block&) { return {}; }
template <unsigned int N, unsigned int M, class P>
WARPWISE_CG thread_block_tile<N, thread_block_tile<M, P>> tiled_partition(const thread_block_tile<M, P>&) {
  static_assert(N <= M, "a tile is cut into smaller ones");
  return {};
}
// A size that is known at run time only; at most 32, a power of two.
WARPWISE_CG thread_group tiled_partition(const thread_group&, unsigned int n) {
  const unsigned int all = n >= 32 ? 0xffffffffu : (1u << n) - 1;
  return thread_group(all << (details::lane() & ~(n - 1)));
}
// The threads of a group that agree on a predicate, or on a label.
template <class Group> WARPWISE_CG coalesced_group binary_partition(const Group& g, bool predicate) {
  const unsigned int yes = __ballot_sync(g.lanes(), predicate);
  return coalesced_group(predicate ? yes : g.lanes() & ~yes);
}
template <class Group, class Label> WARPWISE_CG coalesced_group labeled_partition(const Group& g, Label label) {
  return coalesced_group(__match_any_sync(g.lanes(), label));
}

template <class Group> WARPWISE_CG void sync(const Group& g) { g.sync(); }
template <class Group> WARPWISE_CG unsigned int thread_rank(const Group& g) { return g.thread_rank(); }
template <class Group> WARPWISE_CG unsigned int group_size(const Group& g) { return g.size(); }

// Runs f in one thread of the group.
template <class Group, class F> WARPWISE_CG void invoke_one(const Group& g, F&& f) {
  if (g.thread_rank() == 0) f();
}

}  // namespace cooperative_groups

#undef WARPWISE_CG
#undef WARPWISE_CGM
