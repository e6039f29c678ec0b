// The k largest of a row in one read: a threshold that surely is low enough, found in the first piece, filters the
// rest.
//
//     1  a thread takes the largest of its 16 elements; a warp sorts the 32 it has by shuffles
//     2  if every warp has q elements from its q-th largest on, and the threshold is the least of those of all warps,
//        then at least q · warps elements reach it: with q = ceil(k / warps), at least k
//     3  elements that reach the threshold go to a list in shared memory: some hundreds of 16,384
//     4  the list is shortened to k keys by halving between thresholds, and ordered by counting
//
// Normal numbers let about one in a hundred pass. Rows that are sorted or constant let all pass; when the list is full,
// a better threshold is found among list and registers, and it goes on. The result is exact for any data.
//
// Several blocks can share a row as a cluster. Each has a piece; a threshold that holds for one block holds for all,
// and the least of all warps in the cluster needs only q = ceil(k / all warps). Both are known after one exchange, and
// the best is taken. At the end all lists go to the first block through distributed shared memory.
#pragma once

#include "../parts/cluster.h"
#include "../parts/launch.h"
#include "../parts/vectors.h"
#include "select.h"

constexpr int kVectors = 4, kPiece = kThreads * kVectors, kMostBlocks = 16;  // a piece is 16,384 elements

struct Bounds {
  unsigned of_block, of_all;  // if the block alone has to have k elements above it, and if all blocks have
};

// The 32 values of a warp, the largest in lane 0 (bitonic sort).
__device__ __forceinline__ unsigned sort_warp(unsigned x) {
  int lane = int(threadIdx.x) % 32;
#pragma unroll
  for (int size = 2; size <= 32; size *= 2)
#pragma unroll
    for (int distance = size / 2; distance > 0; distance /= 2) {
      unsigned other = __shfl_xor_sync(0xffffffffu, x, distance);
      bool larger = ((lane & distance) == 0) == ((lane & size) == 0);  // this lane keeps the larger one
      x = larger ? max(x, other) : min(x, other);
    }
  return x;
}

struct Piece {
  uint4 raw[kVectors];

  __device__ __forceinline__ void load(const uint4* row, int first, int end) {
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      int i = first + int(threadIdx.x) + v * kThreads;
      if (i < end) raw[v] = load_once(&row[i]);
    }
  }
  // Calls use(order, index) for each element.
  template <class Use>
  __device__ __forceinline__ void for_each(int first, int end, Use use) const {
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      int i = first + int(threadIdx.x) + v * kThreads;
      if (i >= end) continue;
      float x[4];
      unpack<float>(raw[v], x);
#pragma unroll
      for (int e = 0; e < 4; ++e) use(ordered(x[e]), i * 4 + e);
    }
  }
};

// Adds the keys of a piece that reach the threshold. If the list is full, finds a higher threshold and starts again.
__device__ __forceinline__ void filter(List list, const Piece& piece, int first, int end, Key& threshold, int k,
                                       unsigned (*room)[kWarps]) {
  unsigned before = *list.count;
  __syncthreads();
  unsigned mine = 0;
  piece.for_each(first, end, [&](unsigned order, int index) { mine += key_of(order, index) >= threshold; });
  unsigned place = list.reserve(mine);
  if (mine)
    piece.for_each(first, end, [&](unsigned order, int index) {
      if (key_of(order, index) >= threshold) list.put(place++, key_of(order, index));
    });
  __syncthreads();
  if (*list.count <= kCapacity) return;
  __syncthreads();
  Key held[kOfThread + kVectors * 4] = {};
#pragma unroll
  for (int i = 0; i < kOfThread; ++i)
    if (threadIdx.x + i * kThreads < before) held[i] = list.keys[threadIdx.x + i * kThreads];
#pragma unroll
  for (int v = 0; v < kVectors; ++v) {
    int i = first + int(threadIdx.x) + v * kThreads;
    float x[4];
    unpack<float>(piece.raw[v], x);
#pragma unroll
    for (int e = 0; e < 4; ++e)
      if (i < end) held[kOfThread + v * 4 + e] = key_of(ordered(x[e]), i * 4 + e);
  }
  threshold = find_threshold(held, threshold, unsigned(k), kCapacity / 4, room);
  __syncthreads();
  if (threadIdx.x == 0) *list.count = 0;
  __syncthreads();
  mine = 0;
#pragma unroll
  for (Key key : held) mine += key >= threshold;
  place = list.reserve(mine);
#pragma unroll
  for (Key key : held)
    if (key >= threshold) list.put(place++, key);
  __syncthreads();
}

template <bool kCluster>
__global__ void __launch_bounds__(kThreads)
    top_of_rows(const float* in, float* values, int* indices, int columns, int k) {
  extern __shared__ Key keys[];
  __shared__ unsigned count, room[2][kWarps], base;
  __shared__ unsigned of_warp[2][kWarps];
  __shared__ Bounds of_blocks[kMostBlocks];
  int thread = int(threadIdx.x), lane = thread % 32;
  int rank = kCluster ? int(cluster_rank()) : 0, blocks = kCluster ? int(cluster_size()) : 1;
  int row = int(blockIdx.x) / blocks, all = columns / 4, share = (all + blocks - 1) / blocks;
  int begin = min(rank * share, all), end = min(begin + share, all);
  const uint4* from = reinterpret_cast<const uint4*>(in) + size_t(row) * all;
  List list(keys, &count);
  Piece piece, next;
  piece.load(from, begin, end);
  if (thread == 0) count = 0;

  unsigned largest = 0;
  piece.for_each(begin, end, [&](unsigned order, int) { largest = max(largest, order); });
  largest = sort_warp(largest);
  int own = (k + kWarps - 1) / kWarps - 1, shared = (k + kWarps * blocks - 1) / (kWarps * blocks) - 1;
  if (lane == own) of_warp[0][thread / 32] = largest;
  if (lane == shared) of_warp[1][thread / 32] = largest;
  __syncthreads();
  Bounds bounds{__reduce_min_sync(0xffffffffu, of_warp[0][lane]), __reduce_min_sync(0xffffffffu, of_warp[1][lane])};
  if constexpr (kCluster) {
    cluster_barrier();  // all blocks run before one writes to another
    if (thread < blocks) store_remote(&of_blocks[rank], unsigned(thread), bounds);
    cluster_barrier();
    Bounds other = of_blocks[min(lane, blocks - 1)];
    bounds = {__reduce_max_sync(0xffffffffu, other.of_block), __reduce_min_sync(0xffffffffu, other.of_all)};
  }
  Key threshold = Key(max(bounds.of_block, bounds.of_all)) << 32;

  for (int first = begin; first < end; first += kPiece) {
    next.load(from, first + kPiece, end);
    filter(list, piece, first, end, threshold, k, room);
    piece = next;
  }
  if constexpr (kCluster) {
    unsigned most = kCapacity / unsigned(blocks);
    __syncthreads();
    if (count > most) threshold = shorten(list, threshold, unsigned(k), most, room);
    cluster_barrier();  // the first block has its own keys
    if (rank > 0) {
      unsigned mine = count;
      if (thread == 0) {
        unsigned there = remote_address(&count, 0);
        asm volatile("atom.relaxed.cluster.shared::cluster.add.u32 %0, [%1], %2;"
                     : "=r"(base)
                     : "r"(there), "r"(mine)
                     : "memory");
      }
      __syncthreads();
      for (unsigned i = threadIdx.x; i < mine; i += kThreads) store_remote(&keys[base + i], 0, keys[i]);
    }
    cluster_barrier();
    if (rank > 0) return;
  }
  if (count > unsigned(k)) shorten(list, threshold, unsigned(k), unsigned(k), room);
  write_in_order(list, values + size_t(row) * k, indices + size_t(row) * k, k);
}

inline void run_filter(const float* in, float* values, int* indices, int rows, int columns, int k, int cluster) {
  constexpr int kBytes = kCapacity * int(sizeof(Key));
  auto kernel = cluster > 1 ? top_of_rows<true> : top_of_rows<false>;
  must(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes), "shared memory");
  if (cluster > 8) must(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), "cluster");
  run(kernel, {rows * cluster, kThreads, kBytes, cluster}, in, values, indices, columns, k);
}
