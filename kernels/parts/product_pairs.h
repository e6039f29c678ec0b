// A product by pairs of blocks: the tiles of a pair, a cluster, lie below each other, so both need the same tile of b.
// Each brings half of it, and the copy engine puts that into the shared memory of both. Of 48 KB for a step along k 32
// come from L2.
//
// A place of the ring is free when the warps that multiply have left it in both blocks.
#pragma once

#include "cluster.h"
#include "product_persistent.h"

template <int kStages>
struct PairBarriers {
  Barrier landed[kStages], used[kStages];

  __device__ void init() {
    for (int stage = 0; stage < kStages; ++stage)
      barrier_init(&landed[stage]), barrier_init(&used[stage], 2 * kMultipliers * 4);
  }
  __device__ void leave(int stage) { leave_remote(&used[stage], 0), leave_remote(&used[stage], 1); }
};

// A rectangle to the same place of both blocks, whose barriers count its bytes.
__device__ __forceinline__ void copy_box_to_both(void* to, const CUtensorMap* map, int column, int row,
                                                 Barrier* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
      "[%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(to)),
      "l"(map), "r"(column), "r"(row), "r"(shared_address(barrier)), "h"(static_cast<unsigned short>(3))
      : "memory");
}

template <class T, int kColumns, int kStages>
struct PairMemory {
  Ring<T, kColumns, kStages> ring;
  __nv_bfloat16 out[kMultipliers][2][64 * kChunk];  // as in PersistentMemory
  PairBarriers<kStages> barriers;
};

// Both blocks of a pair: the tiles along k. Map 1 has rectangles of half the columns.
template <class T, int kColumns, int kStages>
__device__ __forceinline__ void bring_tiles_to_both(PairMemory<T, kColumns, kStages>& memory, RingPlace<kStages>& place,
                                                    const CUtensorMap* maps, int row, int column, int rank, int steps) {
  Ring<T, kColumns, kStages>& ring = memory.ring;
  int half = rank * (kColumns / 2);
  for (int step = 0; step < steps; ++step, place.next()) {
    Barrier* landed = &memory.barriers.landed[place.stage];
    wait_for(&memory.barriers.used[place.stage], place.round ^ 1);
    expect_bytes(landed, sizeof ring.a[0] + sizeof ring.b[0]);
    copy_box_in(ring.a[place.stage], &maps[0], step * kTileDepth<T>, row, landed);
    copy_box_to_both(ring.b[place.stage] + half * kTileDepth<T>, &maps[1], step * kTileDepth<T>, column + half, landed);
  }
}

// `pairs` are tiles of 2 x kRows rows. Maps: a, b, and the result.
template <class T, int kColumns, int kStages, class Scales = Unscaled>
__device__ __forceinline__ void product_by_pairs(const CUtensorMap* maps, Tiles pairs, int k,
                                                 const Scales& scales = {}) {
  extern __shared__ __align__(1024) unsigned char bytes[];
  auto& memory = *reinterpret_cast<PairMemory<T, kColumns, kStages>*>(bytes);
  int warpgroup = int(threadIdx.x) / 128, steps = steps_along<T>(k), rank = int(cluster_rank()), row, column;
  if (threadIdx.x == 0) memory.barriers.init();
  cluster_barrier();
  RingPlace<kStages> place;
  int first = int(blockIdx.x) / 2, stride = int(gridDim.x) / 2;
  if (warpgroup == 0) {
    give_up_registers<40>();
    if (threadIdx.x == 0)
      for (int pair = first; pair < pairs.count(); pair += stride) {
        pairs.place_of(pair, 2 * kRows, kColumns, row, column);
        bring_tiles_to_both(memory, place, maps, row + rank * kRows, column, rank, steps);
      }
    __syncwarp();
  } else {
    take_registers<232>();
    int turn = 0;
    for (int pair = first; pair < pairs.count(); pair += stride) {
      pairs.place_of(pair, 2 * kRows, kColumns, row, column);
      row += rank * kRows + (warpgroup - 1) * 64;
      typename SumOf<T>::Type sums[kColumns / 8][4];
      multiply_tiles(sums, memory.ring, memory.barriers, place, warpgroup - 1, steps);
      send_chunks(sums, memory.out[warpgroup - 1], turn, &maps[2], row, column, scales);
    }
    if (threadIdx.x % 128 == 0) wait_until_written();
    __syncwarp();
  }
  cluster_barrier();  // none ends while the other may still bring something or leave a place
}
