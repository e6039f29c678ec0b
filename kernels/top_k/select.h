// Selecting among keys in shared memory: a list that blocks add to, thresholds found by halving, and ranks by counting.
#pragma once

#include "key.h"

constexpr int kThreads = 1024, kWarps = kThreads / 32;
constexpr int kCapacity = 8192, kOfThread = kCapacity / kThreads;

// Keys in any order. `count` may exceed kCapacity: then what did not fit was left out, and the list has to be
// shortened.
struct List {
  Key* keys;
  unsigned* count;

  __device__ __forceinline__ List(Key* keys, unsigned* count) : keys(keys), count(count) {}

  // All threads of a warp call it together, each with `mine` keys to add; returns where a thread's first one goes.
  __device__ __forceinline__ unsigned reserve(unsigned mine) {
    int lane = int(threadIdx.x) % 32;
    unsigned until = mine, base = 0;
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
      unsigned other = __shfl_up_sync(0xffffffffu, until, distance);
      if (lane >= distance) until += other;
    }
    if (lane == 31 && until) base = atomicAdd(count, until);
    return __shfl_sync(0xffffffffu, base, 31) + until - mine;
  }
  __device__ __forceinline__ void put(unsigned place, Key key) {
    if (place < kCapacity) keys[place] = key;
  }
};

// The sum over the block. One barrier; `room` alternates as in ../parts/block_combine.h.
__device__ __forceinline__ unsigned sum_of_block(unsigned mine, unsigned* room) {
  mine = __reduce_add_sync(0xffffffffu, mine);
  if (threadIdx.x % 32 == 0) room[threadIdx.x / 32] = mine;
  __syncthreads();
  return __reduce_add_sync(0xffffffffu, room[threadIdx.x % 32]);
}

// A threshold that between `least` and `most` of the keys reach; each thread holds kHeld of them (0: none).
// More than `most` reach `low`. Halving must end: keys differ, so the count changes by one from key to key.
template <int kHeld>
__device__ __forceinline__ Key find_threshold(const Key (&held)[kHeld], Key low, unsigned least, unsigned most,
                                              unsigned (*room)[kWarps]) {
  Key high = ~Key(0);  // none reaches it
  for (int turn = 0;; turn ^= 1) {
    Key middle = low + (high - low) / 2;
    unsigned mine = 0;
#pragma unroll
    for (Key key : held) mine += key >= middle;
    unsigned count = sum_of_block(mine, room[turn]);
    if (count > most)
      low = middle;
    else if (count < least)
      high = middle;
    else
      return middle;
  }
}

// Shortens a list to between `least` and `most` keys, the largest ones; returns the new threshold.
__device__ __forceinline__ Key shorten(List list, Key low, unsigned least, unsigned most, unsigned (*room)[kWarps]) {
  Key held[kOfThread];
  unsigned count = *list.count;
#pragma unroll
  for (int i = 0; i < kOfThread; ++i) {
    unsigned place = threadIdx.x + i * kThreads;
    held[i] = place < count ? list.keys[place] : 0;
  }
  Key threshold = find_threshold(held, low, least, most, room);
  __syncthreads();
  if (threadIdx.x == 0) *list.count = 0;
  __syncthreads();
  unsigned mine = 0;
#pragma unroll
  for (Key key : held) mine += key >= threshold;
  unsigned place = list.reserve(mine);
#pragma unroll
  for (Key key : held)
    if (key >= threshold) list.put(place++, key);
  __syncthreads();
  return threshold;
}

// Writes the k largest of a list of at most kThreads keys in order: a key's rank is how many are larger. Some
// neighbouring threads count together for one key.
__device__ __forceinline__ void write_in_order(List list, float* values, int* indices, int k) {
  unsigned count = *list.count;
  int each = 1;
  while (each < 32 && count * each * 2 <= kThreads) each *= 2;
  unsigned which = threadIdx.x / each, part = threadIdx.x % each;
  Key key = which < count ? list.keys[which] : ~Key(0);
  unsigned rank = 0;
#pragma unroll 4
  for (unsigned other = part; other < count; other += each) rank += list.keys[other] > key;
  for (int distance = each / 2; distance > 0; distance /= 2) rank += __shfl_xor_sync(0xffffffffu, rank, distance);
  if (which < count && part == 0 && rank < unsigned(k)) values[rank] = value_of(key), indices[rank] = index_of(key);
}
