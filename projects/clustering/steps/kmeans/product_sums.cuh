// Sums of a share's points, by tensor cores.
//
// A sum is a product with ones and zeros. Tensor cores multiply doubles, too, a thirtieth as fast as halves: 16 points
// of 64 coordinates times eight centres take an SM 64 cycles, which is 0.02 ms of 2^20 points. Nothing is split and
// nothing is lost: a sum is as good as one that doubles were added up to, one by one. In tf32 a coordinate would be two
// parts, each with its sums, for as many registers; they take three instructions to tell apart where a double takes
// one.
#pragma once

#include "row_units.cuh"

// 16 rows by 8 columns, along 8.
__device__ inline void multiply_add_doubles(double (&sums)[4], const double (&a)[4], const double (&b)[2]) {
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+d"(sums[0]), "+d"(sums[1]), "+d"(sums[2]), "+d"(sums[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}

// Of a warp.
template <int kDepth>
struct ProductSums {
  using Columns = UnitColumns<kDepth>;
  static constexpr int kTiles = Columns::kTiles, kHalves = Columns::kHalves;
  double sums[kTiles][4];
  int count;  // of those points of centre lane / 4 of the share that are in the lane's rows

  __device__ void clear() {
    count = 0;
#pragma unroll
    for (int tile = 0; tile < kTiles; ++tile)
#pragma unroll
      for (int i = 0; i < 4; ++i) sums[tile][i] = 0;
  }

  // places: of the rows of a row's first lane, which centre of the share; -1: none.
  __device__ void add(const Unit& unit, const int (&places)[kRows]) {
    const int lane = lane_of_thread(), quad = lane / 4, q = lane % 4;
    unsigned again = lane;
    asm volatile("" : "+r"(again));  // worked out for each unit, not kept
    const unsigned from = shared_address(&unit) + Columns::place_of(again);
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      double ones[2];
#pragma unroll
      for (int four = 0; four < 2; ++four) {
        const bool belongs = __shfl_sync(~0u, i == 0 ? places[0] : places[1], 4 * q + 16 * four) == quad;
        ones[four] = belongs ? 1 : 0;
        count += belongs;
      }
#pragma unroll
      for (int tile = 0; tile < kTiles; ++tile) {
        float x[4];
        Columns::read(from, i, tile, x);
        const double exact[4] = {x[0], x[1], x[2], x[3]};
        multiply_add_doubles(sums[tile], exact, ones);
      }
    }
  }

  __device__ void flush(const Problem& p, int share, const Answer& answer) {
    const int lane = lane_of_thread(), quad = lane / 4, q = lane % 4;
    for (int lanes = 1; lanes < 4; lanes *= 2) count += __shfl_xor_sync(~0u, count, lanes);
    if (q == 0 && count > 0) atomicAdd(&answer.counts[centre_in(share, quad)], count);
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const bool has = __shfl_sync(~0u, count, (2 * q + i) * 4) > 0;
      double* const to = answer.sums + size_t(centre_in(share, 2 * q + i)) * p.dimensions + quad;
      // Two branches, so that one condition suffices where all lanes have all of their coordinates.
      if (p.dimensions == kDepth) {
        if (has) add_to(to, i, [](int) { return true; });
      } else {
        add_to(to, i, [&](int d) { return has && d + quad < p.dimensions; });
      }
    }
    clear();
  }

  // wanted(d): whether the coordinate d further than the lane's first is.
  template <class Wanted>
  __device__ void add_to(double* to, int i, Wanted wanted) const {
#pragma unroll
    for (int tile = 0; tile < kTiles; ++tile)
#pragma unroll
      for (int half = 0; half < kHalves; ++half) {
        const int d = half * 32 + tile * 8;
        if (wanted(d)) atomicAdd(to + d, sums[tile][half * 2 + i]);
      }
  }
};
