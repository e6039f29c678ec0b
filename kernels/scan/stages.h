// Tiles that pass through a ring in shared memory, from warps to warps with other roles:
//
//     copy engine       landed[s]   a tile of 8192 elements is in place s of the ring
//     8 adding warps    added[s]    the sums of its 16 pieces are known, and that of the tile has been published
//     1 looking warp    known[s]    what stands before each piece is known
//     16 scanning warps used[s]     a piece for each: running sums, straight to memory; the place is free
//
// No role waits for one that comes after it. A step says which tile is next, how its sum is published, and how the
// looking warp learns what stands before a tile.
#pragma once

#include "../parts/launch.h"
#include "../parts/roles.h"
#include "tagged.h"
#include "tile.h"

constexpr int kScanWarps = 16, kAddWarps = 8, kVectors = 4, kStages = 6;
constexpr int kPiece = kVectors * 32, kTileVectors = kScanWarps * kPiece, kTile = kTileVectors * 4;
constexpr int kThreads = (kScanWarps + kAddWarps + 2) * 32, kPiecesEach = kScanWarps / kAddWarps;
constexpr int kMostTiles = (1 << 28) / kTile;

struct Room {
  Barrier landed[kStages], added[kStages], known[kStages], used[kStages];
  int tile[kStages];  // a number that is no tile ends all roles
  float sums[kStages][kScanWarps], befores[kStages][kScanWarps];

  __device__ void init() {
    for (int s = 0; s < kStages; ++s) {
      barrier_init(&landed[s]), barrier_init(&added[s], kAddWarps);
      barrier_init(&known[s]), barrier_init(&used[s], kScanWarps);
    }
  }
};

struct Work {
  const float* in;
  float* out;
  uint4* ring;
  size_t n, whole;  // elements; vectors that come by bulk copies
  int tiles;
};

__device__ __forceinline__ float running_sum_of_warp(float x) {
  int lane = int(threadIdx.x) % 32;
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    float other = __shfl_up_sync(0xffffffffu, x, distance);
    if (lane >= distance) x += other;
  }
  return x;
}

// A vector of the tile in a place of the ring.
__device__ __forceinline__ void load_vector(float (&x)[4], const Work& work, int stage, int tile, int i) {
  size_t vector = size_t(tile) * kTileVectors + size_t(i);
  if (vector < work.whole)
    unpack<float>(work.ring[stage * kTileVectors + i], x);
  else
    load_ragged(x, work.in, vector, work.n);
}

// One thread: `tile` comes into a place that is free.
__device__ __forceinline__ void bring(const Work& work, Room& room, int stage, int tile) {
  room.tile[stage] = tile;
  size_t first = size_t(tile) * kTileVectors;
  bool some = tile < work.tiles && first < work.whole;
  unsigned bytes = some ? unsigned(min(work.whole - first, size_t(kTileVectors))) * 16 : 0;
  expect_bytes(&room.landed[stage], bytes);
  if (some) copy_in(&work.ring[stage * kTileVectors], work.in + first * 4, bytes, &room.landed[stage]);
}

// One thread. Blocks take the number of their next tile while they work on others, and work on them in order: so
// the block with the lowest number never waits.
__device__ __forceinline__ void ask(const Work& work, Room& room, unsigned* next_tile) {
  RingPlace<kStages> place;
  for (int turn = 0;; ++turn, place.next()) {
    int tile = int(atomicAdd(next_tile, 1u));
    if (turn >= kStages) wait_for(&room.used[place.stage], place.round ^ 1);
    bring(work, room, place.stage, tile);
    if (tile >= work.tiles) return;
  }
}

// Each adding warp has some pieces. A lane of the first one calls publish_sum(tile, its sum).
template <class Publish>
__device__ __forceinline__ void add_up(const Work& work, Room& room, int adder, Publish publish_sum) {
  int lane = int(threadIdx.x) % 32;
  for (RingPlace<kStages> place;; place.next()) {
    wait_for(&room.landed[place.stage], place.round);
    int tile = room.tile[place.stage];
    if (tile >= work.tiles) return;
#pragma unroll
    for (int p = 0; p < kPiecesEach; ++p) {
      float sum = 0;
#pragma unroll
      for (int v = 0; v < kVectors; ++v) {
        float x[4];
        load_vector(x, work, place.stage, tile, (adder * kPiecesEach + p) * kPiece + v * 32 + lane);
        sum += (x[0] + x[1]) + (x[2] + x[3]);
      }
      sum = sum_of_warp(sum);
      if (lane == 0) room.sums[place.stage][adder * kPiecesEach + p] = sum;
    }
    asm volatile("bar.sync 1, %0;" ::"n"(kAddWarps * 32) : "memory");
    if (adder == 0) {
      float until = running_sum_of_warp(lane < kScanWarps ? room.sums[place.stage][lane] : 0.0f);
      if (lane == 31) publish_sum(tile, until);
      __syncwarp();
    }
    if (lane == 0) arrive(&room.added[place.stage]);
  }
}

// The looking warp. sum_before(tile, the tile's sum) is what stands before the tile.
template <class SumBefore>
__device__ __forceinline__ void look_for_all(const Work& work, Room& room, SumBefore sum_before) {
  int lane = int(threadIdx.x) % 32;
  for (RingPlace<kStages> place;; place.next()) {
    wait_for(&room.landed[place.stage], place.round);
    int tile = room.tile[place.stage];
    if (tile >= work.tiles) return;
    wait_for(&room.added[place.stage], place.round);
    float own = lane < kScanWarps ? room.sums[place.stage][lane] : 0.0f, until = running_sum_of_warp(own);
    float before = sum_before(tile, __shfl_sync(0xffffffffu, until, 31));
    if (lane < kScanWarps) room.befores[place.stage][lane] = before + (until - own);
    __syncwarp();
    if (lane == 0) arrive(&room.known[place.stage]);
  }
}

__device__ __forceinline__ void scan_piece(const Work& work, Room& room, int warp) {
  for (RingPlace<kStages> place;; place.next()) {
    wait_for(&room.landed[place.stage], place.round);
    int tile = room.tile[place.stage];
    if (tile >= work.tiles) return;
    float x[kVectors][4];
#pragma unroll
    for (int v = 0; v < kVectors; ++v) load_vector(x[v], work, place.stage, tile, vector_of<kVectors>(v));
    scan_in_warp(x);
    wait_for(&room.known[place.stage], place.round);
    add(x, room.befores[place.stage][warp]);
    __syncwarp();
    if (threadIdx.x % 32 == 0) arrive(&room.used[place.stage]);
#pragma unroll
    for (int v = 0; v < kVectors; ++v)
      store_ragged(work.out, x[v], size_t(tile) * kTileVectors + size_t(vector_of<kVectors>(v)), work.n);
  }
}
