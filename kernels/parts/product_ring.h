// A product of matrices whose rows are along k, c = a · bᵀ, by blocks with roles (roles.h): one warpgroup asks for
// tiles of a and b, two multiply them, 64 rows each. For elements of any type that wgmma multiplies (wgmma.h).
#pragma once

#include "roles.h"
#include "tensor_map.h"
#include "wgmma.h"

constexpr int kRows = 128;                       // of a block's tile: 64 for each warpgroup that multiplies
constexpr int kThreads = 384, kMultipliers = 2;  // warpgroups

template <class T, int kColumns, int kStages>
struct Ring {
  T a[kStages][kRows * kTileDepth<T>], b[kStages][kColumns * kTileDepth<T>];
};

template <int kStages>
struct RingBarriers {
  Barrier landed[kStages], used[kStages];

  __device__ void init() {
    for (int stage = 0; stage < kStages; ++stage)
      barrier_init(&landed[stage]), barrier_init(&used[stage], kMultipliers * 4);
  }
  // One lane of each warp that multiplies.
  __device__ void leave(int stage) { arrive(&used[stage]); }
};

template <class T>
__host__ __device__ constexpr int steps_along(int k) {
  return (k + kTileDepth<T> - 1) / kTileDepth<T>;
}

// One thread: the tiles from `begin` to `end` along k. Maps: of a, with rectangles of kRows rows, and of b, with
// kColumns.
template <class T, int kColumns, int kStages, class Barriers>
__device__ __forceinline__ void bring_tiles(Ring<T, kColumns, kStages>& ring, Barriers& barriers,
                                            RingPlace<kStages>& place, const CUtensorMap* maps, int row, int column,
                                            int begin, int end) {
  for (int step = begin; step < end; ++step, place.next()) {
    Barrier* landed = &barriers.landed[place.stage];
    wait_for(&barriers.used[place.stage], place.round ^ 1);  // the first round finds all places free
    expect_bytes(landed, sizeof ring.a[0] + sizeof ring.b[0]);
    copy_box_in(ring.a[place.stage], &maps[0], step * kTileDepth<T>, row, landed);
    copy_box_in(ring.b[place.stage], &maps[1], step * kTileDepth<T>, column, landed);
  }
}

// Starts the products of one place of the ring. `which`: the upper or the lower half of the tile of a.
template <int kAdd, class T, class Sum, int kColumns, int kStages, class Barriers>
__device__ __forceinline__ void start_products(Sum (&sums)[kColumns / 8][4], Ring<T, kColumns, kStages>& ring,
                                               Barriers& barriers, const RingPlace<kStages>& place, int which) {
  wait_for(&barriers.landed[place.stage], place.round);
  begin_products();
  multiply<T, kAdd>(sums, tile_of(ring.a[place.stage] + which * 64 * kTileDepth<T>), tile_of(ring.b[place.stage]));
  end_products();
}

// A warpgroup: 64 rows by kColumns of sums, over `steps` tiles of the ring. The first step stands before the loop: the
// sums must change in nothing but products there, or the compiler puts the products one after the other.
template <class T, class Sum, int kColumns, int kStages, class Barriers>
__device__ __forceinline__ void multiply_tiles(Sum (&sums)[kColumns / 8][4], Ring<T, kColumns, kStages>& ring,
                                               Barriers& barriers, RingPlace<kStages>& place, int which, int steps) {
#pragma unroll
  for (auto& eight : sums)
#pragma unroll
    for (Sum& sum : eight) sum = 0;
  if (steps == 0) return;
  bool tells = threadIdx.x % 32 == 0;
  int before = place.stage;
  start_products<0>(sums, ring, barriers, place, which);
  place.next();
  for (int step = 1; step < steps; ++step, place.next()) {
    start_products<1>(sums, ring, barriers, place, which);
    wait_for_products<1>();  // those of the step before are done
    if (tells) barriers.leave(before);
    before = place.stage;
  }
  wait_for_sums(sums);
  if (tells) barriers.leave(before);
}
