// A histogram of up to 65,536 bins: two blocks of a cluster see every key, and each counts half of the bins.
//
// 65,536 counters of 4 bytes are 256 KB, more than the shared memory of an SM. Two SMs have room. To send a key to the
// other SM would cost more than to read it twice; and memory is read once for both: the copy engine delivers each tile
// into the shared memory of both blocks (multicast). Each block asks for every other tile, and both skip the keys that
// are not theirs.
//
// A tile's place is free again when both blocks have counted it. So each block tells the one that fills the place, by
// an arrival at its mbarrier; the tile after next waits for two arrivals.
#pragma once

#include "../parts/bulk.h"
#include "../parts/cluster.h"
#include "../parts/launch.h"
#include "../parts/vectors.h"

constexpr int kPairThreads = 1024, kPairStages = 6;  // even: so one block fills a place each time
static_assert(kPairStages % 2 == 0);
constexpr int kPairTile = kPairThreads;  // vectors of four keys: 16 KB
constexpr int kHalf = 32768;             // bins of a block

__device__ __forceinline__ void copy_in_both(void* to, const void* from, unsigned bytes, Barrier* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], "
      "%4;" ::"r"(shared_address(to)),
      "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(shared_address(barrier)), "h"((unsigned short)3)
      : "memory");
}

static __global__ void __launch_bounds__(kPairThreads)
    count_in_pairs(const int* keys, unsigned* counts, int n, int bins) {
  extern __shared__ __align__(128) uint4 tiles[];  // the ring, then the counters
  unsigned* mine = reinterpret_cast<unsigned*>(tiles + kPairStages * kPairTile);
  __shared__ Barrier landed[kPairStages], counted[kPairStages];
  int thread = int(threadIdx.x), rank = int(cluster_rank());
  int pair = int(blockIdx.x) / 2, pairs = int(gridDim.x) / 2;
  size_t vectors = size_t(n) / 4;
  int tiles_of_pair = int((vectors + size_t(pairs) * kPairTile - 1) / (size_t(pairs) * kPairTile));
  auto first_of = [&](int tile) { return (size_t(tile) * pairs + pair) * kPairTile; };
  auto count_of = [&](int tile) {
    size_t first = first_of(tile);
    return first < vectors ? int(min(vectors - first, size_t(kPairTile))) : 0;
  };
  // Both blocks expect every tile; the one whose turn it is asks for it.
  auto fetch = [&](int tile) {
    int stage = tile % kPairStages;
    if (tile >= tiles_of_pair) return;
    unsigned bytes = unsigned(count_of(tile)) * 16;
    expect_bytes(&landed[stage], bytes);
    if (tile % 2 == rank) {
      if (tile >= kPairStages) wait_for(&counted[stage], unsigned(tile / kPairStages - 1) % 2);
      if (bytes) copy_in_both(&tiles[stage * kPairTile], keys + first_of(tile) * 4, bytes, &landed[stage]);
    }
  };
  for (int bin = thread; bin < kHalf; bin += kPairThreads) mine[bin] = 0;
  if (thread == 0) {
    for (int stage = 0; stage < kPairStages; ++stage) barrier_init(&landed[stage]), barrier_init(&counted[stage], 2);
  }
  __syncthreads();
  cluster_barrier();  // the barriers of both blocks are ready
  if (thread == 0) {
    for (int tile = 0; tile < kPairStages; ++tile) fetch(tile);
  }
  auto count = [&](unsigned key) {
    unsigned bin = key - unsigned(rank) * kHalf;
    if (bin < kHalf) atomicAdd(&mine[bin], 1u);
  };
  for (int tile = 0; tile < tiles_of_pair; ++tile) {
    int stage = tile % kPairStages;
    wait_for(&landed[stage], unsigned(tile / kPairStages) % 2);
    if (thread < count_of(tile)) {
      uint4 four = tiles[stage * kPairTile + thread];
      count(four.x), count(four.y), count(four.z), count(four.w);
    }
    __syncthreads();
    if (thread == 0) {
      // The next tile in this place is asked for by this block or by the other.
      arrive_remote(&counted[stage], unsigned(tile + kPairStages) % 2);
      fetch(tile + kPairStages);
    }
  }
  if (pair == 0 && thread < n % 4) count(unsigned(keys[n - 1 - thread]));
  __syncthreads();
  for (int bin = thread; bin < kHalf && bin + rank * kHalf < bins; bin += kPairThreads)
    if (mine[bin]) atomicAdd(&counts[bin + rank * kHalf], mine[bin]);
  cluster_barrier();  // the other block may still arrive at our barriers
}

inline void histogram_in_pairs(const int* keys, unsigned* counts, int n, int bins) {
  int bytes = kPairStages * kPairTile * 16 + kHalf * int(sizeof(unsigned));
  Launch how = persistent(count_in_pairs, kPairThreads, bytes, 2, (size_t(n) + 4095) / 4096);
  run(count_in_pairs, how, keys, counts, n, bins);
}
