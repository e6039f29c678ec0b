// The k largest of a few rows, each in the registers of a cluster, without a barrier of the cluster or a search.
//
//     1  each group of elements (a warp's, or half of them) has a largest one; all blocks learn those of all
//     2  a threshold: of 32 of these, the largest that at least k of them reach. So at least k elements reach it, and
//        for k of 512 groups some tens more than k
//     3  what reaches the threshold goes to all blocks
//     4  a key's place is how many are larger; each block counts for its own
//
// What the blocks tell each other goes by asynchronous stores (../parts/exchange.h). If too many elements reach the
// threshold, because many are equal, the first block selects by itself (filter.h).
#pragma once

#include "../parts/exchange.h"
#include "filter.h"

constexpr int kSegment = 512;  // keys of a block
constexpr unsigned kTooMany = 0xffffffffu;

__device__ __forceinline__ void tell_four(unsigned* slot, unsigned block, uint4 value, Barrier* barrier) {
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(
                   remote_address(slot, block)),
               "r"(value.x), "r"(value.y), "r"(value.z), "r"(value.w), "r"(remote_address(barrier, block))
               : "memory");
}
__device__ __forceinline__ void tell_key(Key* slot, unsigned block, Key value, Barrier* barrier) {
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(
                   remote_address(slot, block)),
               "l"(value), "r"(remote_address(barrier, block))
               : "memory");
}

// One block for the whole row, for data that lets too much pass.
static __device__ __noinline__ void select_alone(const uint4* from, float* values, int* indices, int all, int k,
                                                 Key* keys, unsigned* count, unsigned (*room)[kWarps], Key threshold) {
  List list(keys, count);
  __syncthreads();
  if (threadIdx.x == 0) *count = 0;
  __syncthreads();
  for (int first = 0; first < all; first += kPiece) {
    Piece piece;
    piece.load(from, first, all);
    filter(list, piece, first, all, threshold, k, room);
  }
  if (*count > unsigned(k)) shorten(list, threshold, unsigned(k), unsigned(k), room);
  write_in_order(list, values, indices, k);
}

template <int kGroups>
struct FewRoom {
  static constexpr int kOfBlock = kWarps * kGroups;
  __align__(16) unsigned own[kOfBlock], maxima[kMostBlocks * kOfBlock];  // of the groups
  unsigned counts[kMostBlocks], candidates[kWarps], count, room[2][kWarps];
  Key found[kSegment];
  Barrier told_maxima, told_counts, told_keys;
};

// A block's part of a row: vectors rank x 1024, (rank + blocks) x 1024, … and 1023 more each.
template <int kHeldVectors>
struct Held {
  uint4 raw[kHeldVectors];
  int rank, blocks, all;

  __device__ __forceinline__ int place(int v) const { return (v * blocks + rank) * kThreads + int(threadIdx.x); }
  __device__ __forceinline__ void load(const uint4* row) {
#pragma unroll
    for (int v = 0; v < kHeldVectors; ++v)
      if (place(v) < all) raw[v] = load_once(&row[place(v)]);
  }
  // Calls use(order, index) for the elements of vectors from `first` to `end`.
  template <class Use>
  __device__ __forceinline__ void for_each(int first, int end, Use use) const {
#pragma unroll
    for (int v = 0; v < kHeldVectors; ++v) {
      if (v < first || v >= end || place(v) >= all) continue;
      float x[4];
      unpack<float>(raw[v], x);
#pragma unroll
      for (int e = 0; e < 4; ++e) use(ordered(x[e]), place(v) * 4 + e);
    }
  }
};

// All blocks get the largest element of each group. The first wait for the other blocks is in here.
template <int kHeldVectors, int kGroups>
__device__ __forceinline__ void exchange_maxima(const Held<kHeldVectors>& held, FewRoom<kGroups>& room) {
  constexpr int kEach = kHeldVectors / kGroups, kOfBlock = FewRoom<kGroups>::kOfBlock;
  int thread = int(threadIdx.x);
#pragma unroll
  for (int g = 0; g < kGroups; ++g) {
    unsigned largest = 0;
    held.for_each(g * kEach, (g + 1) * kEach, [&](unsigned order, int) { largest = max(largest, order); });
    largest = __reduce_max_sync(0xffffffffu, largest);
    if (thread % 32 == g) room.own[thread / 32 * kGroups + g] = largest;
  }
  __syncthreads();
  cluster_wait();
  for (int i = thread; i < held.blocks * kOfBlock / 4; i += kThreads) {
    int piece = i % (kOfBlock / 4) * 4, block = i / (kOfBlock / 4);
    tell_four(&room.maxima[held.rank * kOfBlock + piece], unsigned(block),
              *reinterpret_cast<const uint4*>(&room.own[piece]), &room.told_maxima);
  }
  wait_for_cluster(&room.told_maxima, 0);
}

// Each warp tries one of the maxima.
template <int kGroups>
__device__ __forceinline__ unsigned choose_threshold(FewRoom<kGroups>& room, int blocks, int k) {
  int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32, each = blocks * kGroups;
  unsigned candidate = room.maxima[warp * each + warp % each], reach = 0;
  for (int i = lane; i < each * kWarps; i += 32) reach += room.maxima[i] >= candidate;
  reach = __reduce_add_sync(0xffffffffu, reach);
  if (lane == 0) room.candidates[warp] = reach >= unsigned(k) ? candidate : 0;
  __syncthreads();
  return __reduce_max_sync(0xffffffffu, room.candidates[lane]);
}

// All blocks get all keys, each block's in its own segment. Returns whether some had too many.
template <int kGroups>
__device__ __forceinline__ bool exchange_keys(FewRoom<kGroups>& room, Key* keys, int rank, int blocks) {
  int thread = int(threadIdx.x), lane = thread % 32;
  unsigned mine = room.count <= kSegment ? room.count : kTooMany;
  if (thread < blocks) tell(&room.counts[rank], unsigned(thread), mine, &room.told_counts);
  if (mine != kTooMany)
    for (int i = thread; i < int(mine) * blocks; i += kThreads) {
      int block = i / int(mine), place = i % int(mine);
      tell_key(&keys[rank * kSegment + place], unsigned(block), room.found[place], &room.told_keys);
    }
  wait_for_cluster(&room.told_counts, 0);
  unsigned of_lane = lane < blocks ? room.counts[lane] : 0;
  bool overflow = __any_sync(0xffffffffu, of_lane == kTooMany);
  unsigned total = __reduce_add_sync(0xffffffffu, of_lane == kTooMany ? 0u : of_lane);
  if (thread == 0) expect_bytes(&room.told_keys, total * unsigned(sizeof(Key)));
  wait_for_cluster(&room.told_keys, 0);
  return overflow;
}

// Writes the block's own keys where they belong among all.
template <int kGroups>
__device__ __forceinline__ void write_own(const FewRoom<kGroups>& room, const Key* keys, int blocks, float* values,
                                          int* indices, int k) {
  int lane = int(threadIdx.x) % 32;
  for (unsigned i = threadIdx.x / 32; i < room.count; i += kWarps) {
    Key key = room.found[i];
    unsigned larger = 0;
    for (int block = 0; block < blocks; ++block)
      for (unsigned other = unsigned(lane); other < room.counts[block]; other += 32)
        larger += keys[block * kSegment + int(other)] > key;
    larger = __reduce_add_sync(0xffffffffu, larger);
    if (lane == 0 && larger < unsigned(k)) values[larger] = value_of(key), indices[larger] = index_of(key);
  }
}

template <int kHeldVectors, int kGroups>
__global__ void __launch_bounds__(kThreads)
    top_of_few(const float* in, float* values, int* indices, int columns, int k) {
  extern __shared__ Key keys[];  // kSegment of each block
  __shared__ FewRoom<kGroups> room;
  int rank = int(cluster_rank()), blocks = int(cluster_size()), row = int(blockIdx.x) / blocks, all = columns / 4;
  if (threadIdx.x == 0) {
    barrier_init(&room.told_maxima), barrier_init(&room.told_counts), barrier_init(&room.told_keys);
    expect_bytes(&room.told_maxima, unsigned(blocks * room.kOfBlock * 4));
    expect_bytes(&room.told_counts, unsigned(blocks * 4));
    room.count = 0;
  }
  __syncwarp();
  cluster_arrive();
  const uint4* from = reinterpret_cast<const uint4*>(in) + size_t(row) * all;
  Held<kHeldVectors> held{{}, rank, blocks, all};
  held.load(from);
  exchange_maxima(held, room);
  unsigned threshold = choose_threshold(room, blocks, k);
  held.for_each(0, kHeldVectors, [&](unsigned order, int index) {
    if (order < threshold) return;
    unsigned place = atomicAdd(&room.count, 1u);
    if (place < kSegment) room.found[place] = key_of(order, index);
  });
  __syncthreads();
  values += size_t(row) * k, indices += size_t(row) * k;
  if (!exchange_keys(room, keys, rank, blocks))
    write_own(room, keys, blocks, values, indices, k);
  else if (rank == 0)
    select_alone(from, values, indices, all, k, keys, &room.count, room.room, Key(threshold) << 32);
}

template <int kHeldVectors, int kGroups>
void run_few(const float* in, float* values, int* indices, int rows, int columns, int k, int cluster) {
  constexpr int kBytes = kMostBlocks * kSegment * int(sizeof(Key));
  static_assert(kBytes >= kCapacity * int(sizeof(Key)));
  auto kernel = top_of_few<kHeldVectors, kGroups>;
  must(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes), "shared memory");
  if (cluster > 8) must(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), "cluster");
  run(kernel, {rows * cluster, kThreads, kBytes, cluster}, in, values, indices, columns, k);
}
