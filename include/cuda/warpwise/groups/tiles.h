// thread_block_tile<N>: N neighbouring threads of a block, N a power of two. Up to 32 they are in one warp. Larger
// tiles synchronise at a barrier of their own and exchange values through shared memory.
#pragma once

#include "blocks.h"
#include "warps.h"

namespace cooperative_groups {
namespace details {

// Shared memory and barriers of the tiles of several warps, allocated only for code that uses such a tile.
struct tile_memory {
  unsigned long long word[32];  // one per warp
  unsigned int arrived;         // at the barrier of the tile that has no named barrier
};
WARPWISE_CG tile_memory* tiles() {
  __shared__ tile_memory memory;
  return &memory;
}

constexpr unsigned int kNamedBarriers = 15;  // all but that of __syncthreads

template <unsigned int N> class block_tile {
 public:
  // Called by the whole block. A block of 1024 threads has sixteen tiles of 64, one more than there are barriers: the
  // last one counts its arrivals in memory, like the blocks of a grid.
  WARPWISE_CGM block_tile() {
    if (N != 64 || threads_of_block() <= kNamedBarriers * N) return;
    if (thread_in_block() == kNamedBarriers * N) tiles()->arrived = 0;
    __syncthreads();
  }
  WARPWISE_CGM void sync() const {
    const unsigned int tile = thread_in_block() / N;
    if (tile < kNamedBarriers) {
      __barrier_sync_count(1 + tile, N);
      return;
    }
    __syncwarp();
    if (lane() == 0) {
      volatile unsigned int* arrived = &tiles()->arrived;
      __threadfence_block();
      const unsigned int before = atomicAdd(&tiles()->arrived, thread_rank() == 0 ? 0x80000000u - (kWarps - 1) : 1u);
      while (((before ^ *arrived) & 0x80000000u) == 0) {
      }
      __threadfence_block();
    }
    __syncwarp();
  }
  static constexpr __device__ unsigned int num_threads() { return N; }
  static constexpr __device__ unsigned int size() { return N; }
  static WARPWISE_CGM unsigned int thread_rank() { return thread_in_block() & (N - 1); }

  // The values that the first threads of the warps pass, in every thread; N / 32 values.
  template <class T> WARPWISE_CGM void from_warps(const T& value, T* all) const {
    constexpr unsigned int words = (sizeof(T) + 7) / 8;
    unsigned long long mine[words] = {}, bits[words][kWarps];
    __builtin_memcpy(mine, &value, sizeof(T));
    const unsigned int first = thread_in_block() / N * kWarps;
    for (unsigned int i = 0; i < words; ++i) {
      if (lane() == 0) tiles()->word[thread_in_block() / 32] = mine[i];
      sync();
      for (unsigned int warp = 0; warp < kWarps; ++warp) bits[i][warp] = tiles()->word[first + warp];
      sync();
    }
    for (unsigned int warp = 0; warp < kWarps; ++warp) {
      unsigned long long theirs[words];
      for (unsigned int i = 0; i < words; ++i) theirs[i] = bits[i][warp];
      __builtin_memcpy(&all[warp], theirs, sizeof(T));
    }
  }
  template <class T> WARPWISE_CGM T shfl(T v, unsigned int rank) const {
    T all[kWarps];
    from_warps(warp_tile<32>().shfl(v, static_cast<int>(rank % 32)), all);
    return all[rank / 32 % kWarps];
  }
  WARPWISE_CGM int any(int predicate) const {
    int all[kWarps], result = 0;
    from_warps(__any_sync(0xffffffffu, predicate), all);
    for (int one : all) result |= one;
    return result;
  }
  WARPWISE_CGM int all(int predicate) const { return !any(!predicate); }

  static constexpr unsigned int kWarps = N / 32;
};

template <unsigned int N, bool OneWarp = (N <= 32)> struct tile_of { using type = warp_tile<N>; };
template <unsigned int N> struct tile_of<N, false> { using type = block_tile<N>; };

}  // namespace details

template <unsigned int N, class Parent = void> class thread_block_tile : public details::tile_of<N>::type {
  static_assert(N >= 1 && N <= 1024 && (N & (N - 1)) == 0, "the size of a tile is a power of two, at most 1024");

 public:
  WARPWISE_CGM thread_block_tile() {}
  // The same tile with another parent.
  template <class Other> WARPWISE_CGM thread_block_tile(const thread_block_tile<N, Other>& other)
      : details::tile_of<N>::type(other) {}
  static WARPWISE_CGM unsigned int meta_group_rank() { return rank_in(static_cast<Parent*>(nullptr)); }
  static WARPWISE_CGM unsigned int meta_group_size() { return count_in(static_cast<Parent*>(nullptr)); }

 private:
  static WARPWISE_CGM unsigned int rank_in(void*) { return details::thread_in_block() / N; }
  static WARPWISE_CGM unsigned int count_in(void*) { return (details::threads_of_block() + N - 1) / N; }
  template <unsigned int M, class P> static WARPWISE_CGM unsigned int rank_in(thread_block_tile<M, P>*) {
    return details::thread_in_block() % M / N;
  }
  template <unsigned int M, class P> static WARPWISE_CGM unsigned int count_in(thread_block_tile<M, P>*) { return M / N; }
};

}  // namespace cooperative_groups
