// The k largest of each of many rows, as stream.h, but little is left to do after the last byte, and that has been done
// once before.
//
//     1  while the first pieces are on their way: the end is rehearsed, with a few keys of zero and nothing to write
//     2  each thread takes the largest of its elements in the first pieces: 1024 groups
//     3  a threshold by samples of these, then a better one by samples of those that reach it
//     4  what reaches the threshold goes to a list, as the pieces come
//     5  the end: too long a list is shortened by a threshold of the same kind; the rest is ordered by counting, by all
//     warps
#pragma once

#include "../parts/roles.h"
#include "few.h"

constexpr int kPlaces = 12, kList = 2048, kLong = 512;
constexpr int kPieceVectors = kThreads;  // 16 KB

struct StreamRoom {
  Key list[kList], shortened[kThreads];
  unsigned maxima[kThreads], larger[kThreads], candidates[kWarps], count, other_count, room[2][kWarps];
  Key key_candidates[kWarps];
  Barrier landed[kPlaces], used[kPlaces];
};

// Of 32 samples of `values`, one for each warp to try, the largest that at least k reach; 0 if there is none.
__device__ __forceinline__ unsigned best_sample(const unsigned* values, unsigned count, int k, unsigned* candidates) {
  unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, sample = values[warp * count / kWarps], reach = 0;
#pragma unroll 4
  for (unsigned i = lane; i < count; i += 32) reach += values[i] >= sample;
  reach = __reduce_add_sync(0xffffffffu, reach);
  if (lane == 0) candidates[warp] = reach >= unsigned(k) ? sample : 0;
  __syncthreads();
  return __reduce_max_sync(0xffffffffu, candidates[lane]);
}

// Keys that reach the best of 32 samples, in `shortened`.
__device__ __forceinline__ unsigned shorten_by_sample(StreamRoom& room, unsigned count, int k) {
  unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, reach = 0;
  if (threadIdx.x == 0) room.other_count = 0;
  Key sample = room.list[warp * count / kWarps];
#pragma unroll 4
  for (unsigned i = lane; i < count; i += 32) reach += room.list[i] >= sample;
  reach = __reduce_add_sync(0xffffffffu, reach);
  if (lane == 0) room.key_candidates[warp] = reach >= unsigned(k) ? sample : 0;
  __syncthreads();
  Key best = room.key_candidates[lane];
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) best = max(best, __shfl_xor_sync(0xffffffffu, best, distance));
  for (unsigned i = threadIdx.x; i < count; i += kThreads)
    if (room.list[i] >= best) {
      unsigned slot = atomicAdd(&room.other_count, 1u);
      if (slot < kThreads) room.shortened[slot] = room.list[i];
    }
  __syncthreads();
  return room.other_count;
}

// `count` keys, at least k and at most kThreads, to their places. A warp compares 32 of them with a part of all.
__device__ __forceinline__ void order(const Key* keys, unsigned count, StreamRoom& room, float* values, int* indices,
                                      int k) {
  unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, groups = (count + 31) / 32, parts = kWarps / groups;
  if (threadIdx.x < count) room.larger[threadIdx.x] = 0;
  __syncthreads();
  unsigned mine = warp % groups * 32 + lane, part = warp / groups;
  if (part < parts) {
    Key key = mine < count ? keys[mine] : ~Key(0);
    unsigned larger = 0;
#pragma unroll 8
    for (unsigned other = count * part / parts; other < count * (part + 1) / parts; ++other)
      larger += keys[other] > key;
    if (mine < count && larger) atomicAdd(&room.larger[mine], larger);
  }
  __syncthreads();
  if (threadIdx.x < count) {
    unsigned place = room.larger[threadIdx.x];
    if (place < unsigned(k)) values[place] = value_of(keys[threadIdx.x]), indices[place] = index_of(keys[threadIdx.x]);
  }
}

// Returns whether too many keys are left for order().
__device__ __noinline__ bool finish(StreamRoom& room, unsigned count, unsigned longest, float* values, int* indices,
                                    int k) {
  const Key* keys = room.list;
  if (count > longest && count > unsigned(k) + unsigned(k) / 4) {
    count = shorten_by_sample(room, count, k);
    keys = room.shortened;
  }
  if (count > unsigned(kThreads)) return true;
  order(keys, count, room, values, indices, k);
  return false;
}

static __global__ void __launch_bounds__(kThreads)
    top_of_rows_rehearsed(const float* in, float* values, int* indices, int columns, int k) {
  extern __shared__ __align__(128) uint4 ring[];
  StreamRoom& room = *reinterpret_cast<StreamRoom*>(ring + kPlaces * kPieceVectors);
  int thread = int(threadIdx.x), lane = thread % 32, warp = thread / 32, all = columns / 4;
  int pieces = (all + kPieceVectors - 1) / kPieceVectors, sample = min(k <= 32 ? 4 : 8, pieces);
  const uint4* from = reinterpret_cast<const uint4*>(in) + size_t(blockIdx.x) * all;
  values += size_t(blockIdx.x) * k, indices += size_t(blockIdx.x) * k;
  auto fetch = [&](int piece) {
    int first = piece * kPieceVectors;
    unsigned bytes = unsigned(min(all - first, kPieceVectors)) * 16;
    expect_bytes(&room.landed[piece % kPlaces], bytes);
    copy_in(&ring[piece % kPlaces * kPieceVectors], from + first, bytes, &room.landed[piece % kPlaces]);
  };
  if (thread == 0) {
    for (int p = 0; p < kPlaces; ++p) barrier_init(&room.landed[p]), barrier_init(&room.used[p], kWarps);
    for (int p = 0; p < min(kPlaces, pieces); ++p) fetch(p);
  }
  if (thread < 64) room.list[thread] = 0;
  __syncthreads();
  finish(room, 64, 0, values, indices, 0);
  if (thread == 0) room.count = room.other_count = 0;
  __syncthreads();

  unsigned largest = 0;
  for (int p = 0; p < sample; ++p) {
    wait_for(&room.landed[p], 0);
    if (p * kPieceVectors + thread < all) {
      float x[4];
      unpack<float>(ring[p * kPieceVectors + thread], x);
      largest = max(max(largest, max(ordered(x[0]), ordered(x[1]))), max(ordered(x[2]), ordered(x[3])));
    }
  }
  room.maxima[thread] = largest;
  __syncthreads();
  unsigned threshold = best_sample(room.maxima, kThreads, k, room.candidates);
  unsigned* good = room.larger;
  if (largest >= threshold) good[atomicAdd(&room.other_count, 1u)] = largest;
  __syncthreads();
  threshold = max(threshold, best_sample(good, room.other_count, k, room.candidates));
  float least = from_ordered(threshold);  // if it is not a number, everything passes

  for (int p = 0, place = 0, round = 0; p < pieces; ++p) {
    wait_for(&room.landed[place], unsigned(round));
    int i = p * kPieceVectors + thread;
    uint4 raw = i < all ? ring[place * kPieceVectors + thread] : uint4{0, 0, 0, 0};
    __syncwarp();
    if (lane == 0) {
      arrive(&room.used[place]);
      if (warp == p % kWarps && p + kPlaces < pieces) {  // each warp in turn
        wait_for(&room.used[place], unsigned(round));
        fetch(p + kPlaces);
      }
    }
    float x[4];
    unpack<float>(raw, x);
    if (i < all && (!(x[0] < least) || !(x[1] < least) || !(x[2] < least) || !(x[3] < least))) {
#pragma unroll
      for (int e = 0; e < 4; ++e)
        if (!(x[e] < least)) {
          unsigned slot = atomicAdd(&room.count, 1u);
          if (slot < kList) room.list[slot] = key_of(ordered(x[e]), i * 4 + e);
        }
    }
    if (++place == kPlaces) place = 0, round ^= 1;
  }
  __syncthreads();
  unsigned count = room.count;
  if (count > kList || finish(room, count, kLong, values, indices, k)) {
    Key* spare = reinterpret_cast<Key*>(ring);
    select_alone(from, values, indices, all, k, spare, &room.count, room.room, Key(threshold) << 32);
  }
}

inline void run_rehearsed(const float* in, float* values, int* indices, int rows, int columns, int k) {
  constexpr int kBytes = kPlaces * kPieceVectors * 16 + int(sizeof(StreamRoom));
  static_assert(kBytes <= 227 * 1024);
  must(cudaFuncSetAttribute(top_of_rows_rehearsed, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes),
       "shared memory");
  run(top_of_rows_rehearsed, {rows, kThreads, kBytes, 1}, in, values, indices, columns, k);
}
