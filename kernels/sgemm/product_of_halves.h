// The product of two matrices that are sums of two halves (halves.h), by blocks with roles that stay
// (../parts/product_persistent.h). A place of the ring holds 64 along k of four tiles:
//
//     a   the high halves of 128 rows, then the low ones
//     b   for each 64 columns: the high halves of 64 rows, then the low ones; rows along k, as b is stored
//
// Each warpgroup multiplies low by high, high by low, and high by high. That they share tiles makes this kernel read
// less from L2 for each operation than one of bfloat16 does, and wait less for memory.
#pragma once

#include "../parts/product_persistent.h"
#include "halves.h"

constexpr int kDepth = 64, kHalf = kDepth * 64;  // along k; elements of 64 rows of a tile

template <int kColumns, int kStages>
struct HalvesMemory {
  __half a[kStages][2][kRows * kDepth], b[kStages][kColumns / 64][2][kHalf];
  RingBarriers<kStages> barriers;
};

// One thread: what a tile of the result needs.
template <int kColumns, int kStages>
__device__ __forceinline__ void bring_halves(HalvesMemory<kColumns, kStages>& memory, RingPlace<kStages>& place,
                                             const CUtensorMap* maps, int row, int column, int steps) {
  for (int step = 0; step < steps; ++step, place.next()) {
    Barrier* landed = &memory.barriers.landed[place.stage];
    wait_for(&memory.barriers.used[place.stage], place.round ^ 1);  // the first round finds all places free
    expect_bytes(landed, sizeof memory.a[0] + sizeof memory.b[0]);
    copy_box_in(memory.a[place.stage], &maps[0], step * kDepth, row, 0, landed);
    for (int i = 0; i < kColumns / 64; ++i)
      copy_box_in(memory.b[place.stage][i], &maps[1], column + i * 64, step * kDepth, 0, landed);
  }
}

// 64 along k of one of the three products.
template <int kAdd, int kAt = 0, int kEights>
__device__ __forceinline__ void multiply_halves(float (&sums)[kEights][4], unsigned long long a, unsigned long long b) {
  if constexpr (kAt < kDepth / 16) {
    constexpr int kSixteenRows = 16 * 128;
    product_by_rows<(kAdd || kAt > 0)>(__half{}, sums, along(a, kAt * kProductBytes), along(b, kAt * kSixteenRows));
    multiply_halves<kAdd, kAt + 1>(sums, a, b);
  }
}

// Starts the three products of one place of the ring, the small ones first. `which`: the upper or the lower half of the
// tile of a. With kAdd == 0, what the sums were counts for nothing.
template <int kAdd, int kColumns, int kStages>
__device__ __forceinline__ void start_three(float (&sums)[kColumns / 8][4], HalvesMemory<kColumns, kStages>& memory,
                                            const RingPlace<kStages>& place, int which) {
  wait_for(&memory.barriers.landed[place.stage], place.round);
  const unsigned long long high = tile_of(memory.a[place.stage][0] + which * kHalf),
                           low = tile_of(memory.a[place.stage][1] + which * kHalf),
                           high_b = columns_of(memory.b[place.stage][0][0], sizeof memory.b[0][0]),
                           low_b = columns_of(memory.b[place.stage][0][1], sizeof memory.b[0][0]);
  begin_products();
  multiply_halves<kAdd>(sums, low, high_b);
  multiply_halves<1>(sums, high, low_b);
  multiply_halves<1>(sums, high, high_b);
  end_products();
}

// Sums that stay in the tensor core's hands from the first step to the last.
struct InPlace {
  template <int kColumns, int kStages>
  static __device__ __forceinline__ void sum(float (&sums)[kColumns / 8][4], HalvesMemory<kColumns, kStages>& memory,
                                             RingPlace<kStages>& place, int which, int steps) {
    const bool tells = threadIdx.x % 32 == 0;
    int before = place.stage;
    start_three<0>(sums, memory, place, which);
    place.next();
    for (int step = 1; step < steps; ++step, place.next()) {
      start_three<1>(sums, memory, place, which);
      wait_for_products<1>();
      if (tells) memory.barriers.leave(before);
      before = place.stage;
    }
    wait_for_sums(sums);
    if (tells) memory.barriers.leave(before);
  }
};

// Sums of 64 along k by the tensor core, and those of all k by rounded additions of floats. There are two sets: while
// one is added, the products of the other are under way.
struct Apart {
  template <int kEights>
  static __device__ __forceinline__ void add(float (&sums)[kEights][4], float (&more)[kEights][4]) {
    take_back(more);
#pragma unroll
    for (int j = 0; j < kEights; ++j)
#pragma unroll
      for (int r = 0; r < 4; ++r) sums[j][r] += more[j][r];
  }
  template <int kColumns, int kStages>
  static __device__ __forceinline__ void sum(float (&sums)[kColumns / 8][4], HalvesMemory<kColumns, kStages>& memory,
                                             RingPlace<kStages>& place, int which, int steps) {
    float even[kColumns / 8][4], odd[kColumns / 8][4];
    const bool tells = threadIdx.x % 32 == 0;
    auto leave = [&](int& before) {
      if (tells) memory.barriers.leave(before);
      before = place.stage, place.next();
    };
    int before = place.stage;
    start_three<0>(even, memory, place, which);
    place.next();
    int step = 1;
    for (; step + 1 < steps; step += 2) {
      start_three<0>(odd, memory, place, which);
      wait_for_products<1>();
      leave(before);
      add(sums, even);
      start_three<0>(even, memory, place, which);
      wait_for_products<1>();
      leave(before);
      add(sums, odd);
    }
    if (step < steps) {
      start_three<0>(odd, memory, place, which);
      wait_for_products<1>();
      leave(before);
      add(sums, even);
      wait_for_products<0>();
      add(sums, odd);
    } else {
      wait_for_products<0>();
      add(sums, even);
    }
    if (tells) memory.barriers.leave(before);
  }
};

// 64 rows of results. What scales have done to a row and a column is undone in two steps, since 2^252 is no float.
struct Results {
  float* c;
  int m, n;
  const unsigned *largest_of_rows, *largest_of_columns;

  template <int kEights>
  __device__ __forceinline__ void store(const float (&sums)[kEights][4], int row, int column) const {
    const int lane = int(threadIdx.x) % 32;
    row += int(threadIdx.x) % 128 / 32 * 16 + lane / 4, column += lane % 4 * 2;
    int shift_of_row[2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int r = row + half * 8;
      shift_of_row[half] = r < m ? shift_of(largest_of_rows[r]) : 0;
    }
#pragma unroll
    for (int j = 0; j < kEights; ++j) {
      const int s = column + j * 8;
      if (s >= n) continue;
      const uint2 largest = *reinterpret_cast<const uint2*>(&largest_of_columns[s]);
      const int left = shift_of(largest.x), right = shift_of(largest.y);
#pragma unroll
      for (int half = 0; half < 2; ++half)
        if (row + half * 8 < m)
          *reinterpret_cast<float2*>(&c[size_t(row + half * 8) * n + s]) = {
              scaled(sums[j][half * 2], -(shift_of_row[half] + left)),
              scaled(sums[j][half * 2 + 1], -(shift_of_row[half] + right))};
    }
  }
  static __device__ float scaled(float sum, int exponent) {
    const int half = exponent / 2;
    return sum * power_of_two(half) * power_of_two(exponent - half);
  }
};

// `Sums`: InPlace or Apart. Maps: of a, and of b.
template <class Sums, int kColumns, int kStages>
__device__ __forceinline__ void product_of_halves(const CUtensorMap* maps, Results results, Tiles tiles, int k) {
  extern __shared__ __align__(1024) unsigned char bytes[];
  auto& memory = *reinterpret_cast<HalvesMemory<kColumns, kStages>*>(bytes);
  int warpgroup = int(threadIdx.x) / 128, steps = (k + kDepth - 1) / kDepth, row, column;
  if (threadIdx.x == 0) memory.barriers.init();
  __syncthreads();
  RingPlace<kStages> place;
  if (warpgroup == 0) {
    give_up_registers<40>();
    if (threadIdx.x == 0)
      for (int tile = int(blockIdx.x); tile < tiles.count(); tile += int(gridDim.x)) {
        tiles.place_of(tile, kRows, kColumns, row, column);
        bring_halves(memory, place, maps, row, column, steps);
      }
    __syncwarp();
  } else {
    take_registers<232>();
    for (int tile = int(blockIdx.x); tile < tiles.count(); tile += int(gridDim.x)) {
      tiles.place_of(tile, kRows, kColumns, row, column);
      float sums[kColumns / 8][4] = {};
      Sums::sum(sums, memory, place, warpgroup - 1, steps);
      results.store(sums, row + (warpgroup - 1) * 64, column);
    }
  }
}
