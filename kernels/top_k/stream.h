// The k largest of each of many rows: a block for a row, which comes by bulk copies into a ring in shared memory.
//
//     1  each thread takes the largest of its elements in the first pieces: 1024 groups
//     2  a threshold: of 32 of these, the largest that at least k of them reach
//     3  four comparisons for each vector; what reaches the threshold goes to a list. No barrier of the block: a warp
//        that has read its part of a piece tells the warp that asks for the next one
//     4  the list is shortened by a threshold of the same kind until few keys are left, and ordered by counting
#pragma once

#include "../parts/roles.h"
#include "few.h"

constexpr int kPlaces = 12, kSample = 8, kList = 3072;
constexpr int kPieceVectors = kThreads;  // 16 KB

struct StreamRoom {
  Key list[kList];
  unsigned maxima[kThreads], candidates[kWarps], count, other_count, room[2][kWarps];
  Key key_candidates[kWarps];
  Barrier landed[kPlaces], used[kPlaces];
};

static __global__ void __launch_bounds__(kThreads)
    top_of_stream(const float* in, float* values, int* indices, int columns, int k) {
  extern __shared__ __align__(128) uint4 ring[];
  StreamRoom& room = *reinterpret_cast<StreamRoom*>(ring + kPlaces * kPieceVectors);
  int thread = int(threadIdx.x), lane = thread % 32, warp = thread / 32, all = columns / 4;
  int pieces = (all + kPieceVectors - 1) / kPieceVectors;
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
    room.count = 0;
  }
  __syncthreads();

  unsigned largest = 0;
  for (int p = 0; p < min(kSample, pieces); ++p) {
    wait_for(&room.landed[p], 0);
    if (p * kPieceVectors + thread < all) {
      float x[4];
      unpack<float>(ring[p * kPieceVectors + thread], x);
      largest = max(max(largest, max(ordered(x[0]), ordered(x[1]))), max(ordered(x[2]), ordered(x[3])));
    }
  }
  room.maxima[thread] = largest;
  __syncthreads();
  unsigned candidate = room.maxima[warp * 32 + warp], reach = 0;
#pragma unroll 8
  for (int i = lane; i < kThreads; i += 32) reach += room.maxima[i] >= candidate;
  reach = __reduce_add_sync(0xffffffffu, reach);
  if (lane == 0) room.candidates[warp] = reach >= unsigned(k) ? candidate : 0;
  __syncthreads();
  unsigned threshold = __reduce_max_sync(0xffffffffu, room.candidates[lane]);
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
  Key* keys = room.list;
  Key* spare = reinterpret_cast<Key*>(ring);
  unsigned count = room.count;
  if (count > kList) {
    select_alone(from, values, indices, all, k, spare, &room.count, room.room, Key(threshold) << 32);
    return;
  }
  for (int turn = 0; turn < 3 && count > 64 && count > unsigned(k) + unsigned(k) / 4; ++turn) {
    if (thread == 0) room.other_count = 0;
    Key of_warp = keys[warp * count / 32];
    unsigned least_count = 0;
    for (unsigned i = unsigned(lane); i < count; i += 32) least_count += keys[i] >= of_warp;
    least_count = __reduce_add_sync(0xffffffffu, least_count);
    if (lane == 0) room.key_candidates[warp] = least_count >= unsigned(k) ? of_warp : 0;
    __syncthreads();
    Key best = room.key_candidates[lane];
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) best = max(best, __shfl_xor_sync(0xffffffffu, best, distance));
    for (unsigned i = unsigned(thread); i < count; i += kThreads)
      if (keys[i] >= best) spare[atomicAdd(&room.other_count, 1u)] = keys[i];
    __syncthreads();
    count = room.other_count;
    Key* swapped = keys;
    keys = spare, spare = swapped;
    __syncthreads();
  }
  // `write_in_order` takes up to kThreads keys.
  if (thread == 0) room.other_count = count;
  List list(keys, &room.other_count);
  __syncthreads();
  if (count > kThreads) shorten(list, 0, unsigned(k), kThreads, room.room);
  write_in_order(list, values, indices, k);
}

inline void run_stream(const float* in, float* values, int* indices, int rows, int columns, int k) {
  constexpr int kBytes = kPlaces * kPieceVectors * 16 + int(sizeof(StreamRoom));
  must(cudaFuncSetAttribute(top_of_stream, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes), "shared memory");
  run(top_of_stream, {rows, kThreads, kBytes, 1}, in, values, indices, columns, k);
}
