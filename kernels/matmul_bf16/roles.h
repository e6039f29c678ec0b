// A block with roles: one warpgroup asks for tiles, two multiply. They speak through two barriers for each place of the
// ring:
//
//     landed[stage]   the copy engine tells that the tiles are there
//     used[stage]     the warps that multiply tell that they have done with them: eight arrivals
//
// No other barrier is between them, so the one that asks is as far ahead as the ring is long. It needs few registers,
// and leaves the rest to those who hold sums.
#pragma once

#include "../parts/tensor_map.h"
#include "../parts/wgmma.h"

constexpr int kRows = 128;                       // of a block's tile: 64 for each warpgroup that multiplies
constexpr int kThreads = 384, kMultipliers = 2;  // warpgroups

template <int kColumns, int kStages>
struct Ring {
  __nv_bfloat16 a[kStages][kRows * kTileDepth], b[kStages][kColumns * kTileDepth];
};

template <int kStages>
struct RingBarriers {
  Barrier landed[kStages], used[kStages];

  __device__ void init() {
    for (int stage = 0; stage < kStages; ++stage)
      barrier_init(&landed[stage]), barrier_init(&used[stage], kMultipliers * 4);
  }
};

// Where in the ring, and in which round.
template <int kStages>
struct RingPlace {
  int stage = 0;
  unsigned round = 0;

  __device__ void next() {
    if (++stage == kStages) stage = 0, round ^= 1;
  }
};

template <int kRegisters>
__device__ __forceinline__ void give_up_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kRegisters));
}
template <int kRegisters>
__device__ __forceinline__ void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kRegisters));
}

__device__ __forceinline__ void arrive(Barrier* barrier) {
  asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}

// One thread: the tiles from `begin` to `end` along k, in units of kTileDepth.
template <int kColumns, int kStages>
__device__ __forceinline__ void bring_tiles(Ring<kColumns, kStages>& ring, RingBarriers<kStages>& barriers,
                                            RingPlace<kStages>& place, const CUtensorMap* maps, int row, int column,
                                            int begin, int end) {
  for (int step = begin; step < end; ++step, place.next()) {
    Barrier* landed = &barriers.landed[place.stage];
    wait_for(&barriers.used[place.stage], place.round ^ 1);  // the first round finds all places free
    expect_bytes(landed, sizeof ring.a[0] + sizeof ring.b[0]);
    copy_box_in(ring.a[place.stage], &maps[0], step * kTileDepth, row, landed);
    copy_box_in(ring.b[place.stage], &maps[1], step * kTileDepth, column, landed);
  }
}

// Starts the products of one place of the ring. `which`: the upper or the lower half of the tile of a.
template <int kColumns, int kStages>
__device__ __forceinline__ void start_products(float (&sums)[kColumns / 8][4], Ring<kColumns, kStages>& ring,
                                               RingBarriers<kStages>& barriers, const RingPlace<kStages>& place,
                                               int which) {
  wait_for(&barriers.landed[place.stage], place.round);
  begin_products();
  multiply(sums, tile_of(ring.a[place.stage] + which * 64 * kTileDepth), tile_of(ring.b[place.stage]));
  end_products();
}

// A warpgroup: 64 rows by kColumns of sums, over `steps` tiles of the ring. The first step stands before the loop: the
// sums must change in nothing but products there, or the compiler puts the products one after the other.
template <int kColumns, int kStages>
__device__ __forceinline__ void multiply_tiles(float (&sums)[kColumns / 8][4], Ring<kColumns, kStages>& ring,
                                               RingBarriers<kStages>& barriers, RingPlace<kStages>& place, int which,
                                               int steps) {
#pragma unroll
  for (auto& eight : sums)
#pragma unroll
    for (float& sum : eight) sum = 0;
  if (steps == 0) return;
  bool tells = threadIdx.x % 32 == 0;
  int before = place.stage;
  start_products<kColumns>(sums, ring, barriers, place, which);
  place.next();
  for (int step = 1; step < steps; ++step, place.next()) {
    start_products<kColumns>(sums, ring, barriers, place, which);
    wait_for_products<1>();  // those of the step before are done
    if (tells) arrive(&barriers.used[before]);
    before = place.stage;
  }
  wait_for_sums(sums);
  if (tells) arrive(&barriers.used[before]);
}
