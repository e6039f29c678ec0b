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

template <int kHeldVectors, int kGroups>
__global__ void __launch_bounds__(kThreads)
    top_of_few(const float* in, float* values, int* indices, int columns, int k) {
  constexpr int kOfBlock = kWarps * kGroups;
  extern __shared__ Key keys[];  // kSegment of each block
  __shared__ __align__(16) unsigned own[kOfBlock], maxima[kMostBlocks * kOfBlock];
  __shared__ unsigned counts[kMostBlocks], candidates[kWarps], count, room[2][kWarps];
  __shared__ Key found[kSegment];
  __shared__ Barrier told_maxima, told_counts, told_keys;
  int thread = int(threadIdx.x), lane = thread % 32, warp = thread / 32;
  int rank = int(cluster_rank()), blocks = int(cluster_size());
  if (thread == 0) {
    barrier_init(&told_maxima), barrier_init(&told_counts), barrier_init(&told_keys);
    expect_bytes(&told_maxima, unsigned(blocks * kOfBlock * 4)), expect_bytes(&told_counts, unsigned(blocks * 4));
    count = 0;
  }
  __syncwarp();
  cluster_arrive();
  int row = int(blockIdx.x) / blocks, all = columns / 4;
  const uint4* from = reinterpret_cast<const uint4*>(in) + size_t(row) * all;
  uint4 raw[kHeldVectors];
#pragma unroll
  for (int v = 0; v < kHeldVectors; ++v) {
    int i = (v * blocks + rank) * kThreads + thread;
    if (i < all) raw[v] = load_once(&from[i]);
  }
#pragma unroll
  for (int g = 0; g < kGroups; ++g) {
    unsigned largest = 0;
#pragma unroll
    for (int v = g * kHeldVectors / kGroups; v < (g + 1) * kHeldVectors / kGroups; ++v) {
      float x[4];
      unpack<float>(raw[v], x);
      if ((v * blocks + rank) * kThreads + thread < all)
        largest = max(max(largest, max(ordered(x[0]), ordered(x[1]))), max(ordered(x[2]), ordered(x[3])));
    }
    largest = __reduce_max_sync(0xffffffffu, largest);
    if (lane == g) own[warp * kGroups + g] = largest;
  }
  __syncthreads();
  cluster_wait();
  for (int i = thread; i < blocks * kOfBlock / 4; i += kThreads) {
    int piece = i % (kOfBlock / 4) * 4, block = i / (kOfBlock / 4);
    tell_four(&maxima[rank * kOfBlock + piece], unsigned(block), *reinterpret_cast<uint4*>(&own[piece]), &told_maxima);
  }
  wait_for_cluster(&told_maxima, 0);

  int each = blocks * kGroups;  // groups for each lane, and a candidate among them for each warp
  unsigned candidate = maxima[warp * each + warp % each], reach = 0;
  for (int i = lane; i < blocks * kOfBlock; i += 32) reach += maxima[i] >= candidate;
  reach = __reduce_add_sync(0xffffffffu, reach);
  if (lane == 0) candidates[warp] = reach >= unsigned(k) ? candidate : 0;
  __syncthreads();
  unsigned threshold = __reduce_max_sync(0xffffffffu, candidates[lane]);

#pragma unroll
  for (int v = 0; v < kHeldVectors; ++v) {
    int i = (v * blocks + rank) * kThreads + thread;
    float x[4];
    unpack<float>(raw[v], x);
#pragma unroll
    for (int e = 0; e < 4; ++e)
      if (i < all && ordered(x[e]) >= threshold) {
        unsigned place = atomicAdd(&count, 1u);
        if (place < kSegment) found[place] = key_of(ordered(x[e]), i * 4 + e);
      }
  }
  __syncthreads();
  unsigned mine = count <= kSegment ? count : kTooMany;
  if (thread < blocks) tell(&counts[rank], unsigned(thread), mine, &told_counts);
  if (mine != kTooMany)
    for (int i = thread; i < int(mine) * blocks; i += kThreads) {
      int block = i / int(mine), place = i % int(mine);
      tell_key(&keys[rank * kSegment + place], unsigned(block), found[place], &told_keys);
    }
  wait_for_cluster(&told_counts, 0);
  unsigned of_lane = lane < blocks ? counts[lane] : 0;
  bool overflow = __any_sync(0xffffffffu, of_lane == kTooMany);
  unsigned total = __reduce_add_sync(0xffffffffu, of_lane == kTooMany ? 0u : of_lane);
  if (thread == 0) expect_bytes(&told_keys, total * unsigned(sizeof(Key)));
  wait_for_cluster(&told_keys, 0);
  values += size_t(row) * k, indices += size_t(row) * k;
  if (overflow) {
    if (rank == 0) select_alone(from, values, indices, all, k, keys, &count, room, Key(threshold) << 32);
    return;
  }
  for (unsigned i = unsigned(warp); i < mine; i += kWarps) {
    Key key = found[i];
    unsigned larger = 0;
    for (int block = 0; block < blocks; ++block)
      for (unsigned other = unsigned(lane); other < counts[block]; other += 32)
        larger += keys[block * kSegment + int(other)] > key;
    larger = __reduce_add_sync(0xffffffffu, larger);
    if (lane == 0 && larger < unsigned(k)) values[larger] = value_of(key), indices[larger] = index_of(key);
  }
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
