// A product by two warpgroups that take turns: while one multiplies a tile of the result, the other sends the one
// before, so that the tensor cores do not wait for results to be rounded and to leave.
//
//     warpgroup 1   multiplies tile 0 │ sends it           │ multiplies tile 2 │ …
//     warpgroup 2                     │ multiplies tile 1  │ sends it          │ …
//
// Each has a tile of 128 rows for itself. The ring has the steps of tile after tile, and a warpgroup leaves out those
// of the other. It must not wait for a place before the other has seen all of its own: a barrier that is two rounds
// behind looks like one that is done (roles.h). So a warpgroup that has started its last product gives the turn away.
//
// Groups of tiles are half as high as those of 128x256: what runs at a time then covers about a square again.
#pragma once

#include "product_persistent.h"

// What a warpgroup keeps of the scales of its tile in shared memory, read while it waits for its turn.
template <int kColumns>
struct KeptScales {
  float of_rows[kRows], of_columns[kColumns];
};

template <class T, int kColumns, int kStages>
struct TurnMemory {
  Ring<T, kColumns, kStages> ring;
  __nv_bfloat16 out[kMultipliers][2][64 * kChunk];  // as in PersistentMemory
  KeptScales<kColumns> scales[kMultipliers];
  Barrier landed[kStages], used[kStages];

  __device__ void init() {
    for (int stage = 0; stage < kStages; ++stage)
      barrier_init(&landed[stage]), barrier_init(&used[stage], 4);  // the warps that multiply a tile
  }
};

// The scales of a tile at (row, column).
template <int kColumns>
struct ScaledTile {
  const KeptScales<kColumns>& kept;
  int row, column;

  __device__ Scaled::Chunk at(int r, int c) const {
    Scaled::Chunk chunk;
#pragma unroll
    for (int half = 0; half < 2; ++half) chunk.of_row[half] = kept.of_rows[r - row + half * 8];
#pragma unroll
    for (int j = 0; j < kChunk / 8; ++j)
      chunk.of_columns[j] = *reinterpret_cast<const float2*>(&kept.of_columns[c - column + j * 8]);
    return chunk;
  }
};
template <int kColumns>
__device__ __forceinline__ ScaledTile<kColumns> scales_of_tile(const Scaled& scales, KeptScales<kColumns>& kept,
                                                               int row, int column) {
  const int thread = int(threadIdx.x) % 128;
  kept.of_rows[thread] = row + thread < scales.m ? scales.of_rows[row + thread] : 0;
  for (int i = thread; i < kColumns; i += 128)
    kept.of_columns[i] = column + i < scales.n ? scales.of_columns[column + i] : 0;
  meet(int(threadIdx.x) / 128);
  return {kept, row, column};
}
template <int kColumns>
__device__ __forceinline__ Unscaled scales_of_tile(const Unscaled&, KeptScales<kColumns>&, int, int) {
  return {};
}

// Barriers 1 and 2 are those of meet().
__device__ __forceinline__ void wait_for_turn(int multiplier) {
  asm volatile("bar.sync %0, 256;" ::"r"(multiplier + 3) : "memory");
}
__device__ __forceinline__ void give_turn_to(int multiplier) {
  asm volatile("bar.arrive %0, 256;" ::"r"(multiplier + 3) : "memory");
}

// The sums of a tile: its upper and its lower 64 rows.
template <class Sum, int kColumns>
struct TurnSums {
  Sum upper[kColumns / 8][4], lower[kColumns / 8][4];
};

template <int kAdd, class T, class Sum, int kColumns, int kStages>
__device__ __forceinline__ void start_products(TurnSums<Sum, kColumns>& sums, TurnMemory<T, kColumns, kStages>& memory,
                                               const RingPlace<kStages>& place) {
  wait_for(&memory.landed[place.stage], place.round);
  T *a = memory.ring.a[place.stage], *b = memory.ring.b[place.stage];
  begin_products();
  multiply<T, kAdd>(sums.upper, tile_of(a), tile_of(b));
  multiply<T, kAdd>(sums.lower, tile_of(a + 64 * kTileDepth<T>), tile_of(b));
  end_products();
}

// A warpgroup: a tile. `all_started` is called when its last products are under way.
template <class T, class Sum, int kColumns, int kStages, class Call>
__device__ __forceinline__ void multiply_tiles(TurnSums<Sum, kColumns>& sums, TurnMemory<T, kColumns, kStages>& memory,
                                               RingPlace<kStages>& place, int steps, Call all_started) {
#pragma unroll
  for (int j = 0; j < kColumns / 8; ++j)
#pragma unroll
    for (int i = 0; i < 4; ++i) sums.upper[j][i] = sums.lower[j][i] = 0;
  if (steps == 0) return all_started();
  const bool tells = threadIdx.x % 32 == 0;
  int before = place.stage;
  start_products<0>(sums, memory, place);
  place.next();
  for (int step = 1; step < steps; ++step, place.next()) {
    start_products<1>(sums, memory, place);
    wait_for_products<1>();  // those of the step before are done
    if (tells) arrive(&memory.used[before]);
    before = place.stage;
  }
  all_started();
  wait_for_products<0>();
  take_back(sums.upper);
  take_back(sums.lower);
  if (tells) arrive(&memory.used[before]);
}

// Maps: of a, with rectangles of kRows rows, of b, with kColumns, and of the result, with 64.
template <class T, int kColumns, int kStages, class Scales = Unscaled>
__device__ __forceinline__ void product_by_turns(const CUtensorMap* maps, Tiles tiles, int k,
                                                 const Scales& scales = {}) {
  extern __shared__ __align__(1024) unsigned char bytes[];
  auto& memory = *reinterpret_cast<TurnMemory<T, kColumns, kStages>*>(bytes);
  const int warpgroup = int(threadIdx.x) / 128, steps = steps_along<T>(k);
  if (threadIdx.x == 0) bring_maps(maps), memory.init();
  __syncthreads();
  RingPlace<kStages> place;
  int row, column;
  if (warpgroup == 0) {
    give_up_registers<40>();
    if (threadIdx.x == 0)
      for (int tile = int(blockIdx.x); tile < tiles.count(); tile += int(gridDim.x)) {
        tiles.place_of<kGroup / 2>(tile, kRows, kColumns, row, column);
        bring_tiles(memory.ring, memory, place, maps, row, column, 0, steps);
      }
    __syncwarp();
  } else {
    take_registers<232>();
    const int multiplier = warpgroup - 1, stride = int(gridDim.x);
    int out = 0;
    place.skip(multiplier * steps);
    for (int tile = int(blockIdx.x) + multiplier * stride; tile < tiles.count(); tile += 2 * stride) {
      tiles.place_of<kGroup / 2>(tile, kRows, kColumns, row, column);
      const auto of_tile = scales_of_tile(scales, memory.scales[multiplier], row, column);
      TurnSums<typename SumOf<T>::Type, kColumns> sums;
      if (tile != int(blockIdx.x)) wait_for_turn(multiplier);
      multiply_tiles(sums, memory, place, steps, [&] {
        if (tile + stride < tiles.count()) give_turn_to(1 - multiplier);
      });
      place.skip(steps);
      send_chunks(sums.upper, memory.out[multiplier], out, &maps[2], row, column, of_tile);
      send_chunks(sums.lower, memory.out[multiplier], out, &maps[2], row + 64, column, of_tile);
    }
    if (threadIdx.x % 128 == 0) wait_until_written();
    __syncwarp();
  }
}
