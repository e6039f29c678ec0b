// Which of a share's eight centres is the nearest, of the 16 points of a unit.
#pragma once

#include "row_units.cuh"

// The centres of a share as second factors: the lane has coordinates of centre lane / 4.
template <int kDepth>
struct ShareCentres {
  unsigned halves[kDepth / 16][2];
  float starts[2];  // of centres lane % 4 · 2 and the next

  __device__ void read(int share) {
    const int lane = lane_of_thread();
    const uint4* from = prepared.of_shares[share * 32 + lane];
#pragma unroll
    for (int two = 0; two < kDepth / 16; two += 2) {
      const uint4 four = from[two / 2];
      halves[two][0] = four.x, halves[two][1] = four.y;
      if (two + 1 < kDepth / 16) halves[two + 1][0] = four.z, halves[two + 1][1] = four.w;
    }
    for (int i = 0; i < 2; ++i) starts[i] = prepared.starts[centre_in(share, lane % 4 * 2 + i)];
  }
};

// In double precision, by a warp: four lanes for each centre, so that all of them are read at once.
__device__ inline int nearest_exactly(const Problem& p, const float* centres, int point, int share) {
  const int lane = lane_of_thread(), part = lane % 4, centre = centre_in(share, lane / 4);
  const float* x = p.coordinates + size_t(point) * p.dimensions;
  const float* c = centres + size_t(min(centre, p.clusters - 1)) * p.dimensions;
  double least = 0;
  auto add = [&](float x, float c) {
    const double along = double(x) - double(c);
    least += along * along;
  };
  if (p.dimensions % 4 == 0 && reinterpret_cast<size_t>(p.coordinates) % 16 == 0) {
#pragma unroll 2
    for (int d = part * 4; d < p.dimensions; d += 16) {
      const float4 a = *reinterpret_cast<const float4*>(x + d), b = *reinterpret_cast<const float4*>(c + d);
      add(a.x, b.x), add(a.y, b.y), add(a.z, b.z), add(a.w, b.w);
    }
  } else {
#pragma unroll 1
    for (int d = part; d < p.dimensions; d += 4) add(x[d], c[d]);
  }
  for (int lanes = 1; lanes < 4; lanes *= 2) least += __shfl_xor_sync(~0u, least, lanes);
  if (centre >= p.clusters) least = INFINITY;
  int nearest = lane / 4;
  for (int lanes = 4; lanes < 32; lanes *= 2) {
    const double other = __shfl_xor_sync(~0u, least, lanes);
    const int others = __shfl_xor_sync(~0u, nearest, lanes);
    if (other < least || (other == least && others < nearest)) least = other, nearest = others;
  }
  return nearest;
}

// An entry says which point of the block, and whether it is kSettled.
constexpr int kIndex = kSettled - 1;

// places: of the lane's rows, which centre of the share; -1 of rows that are none. entry(row): of the row's point.
// found: of the block's points, the label if it is settled.
template <int kDepth, class Entry>
__device__ inline void decide(const Problem& p, const float* centres, const ScoreBounds& bounds,
                              const UnitHalves<kDepth>& unit, const ShareCentres<kDepth>& theirs, int share, int count,
                              int base, const unsigned short* found, Entry entry, int (&places)[kRows]) {
  const int lane = lane_of_thread(), quad = lane / 4, q = lane % 4;
  float scores[4] = {};
#pragma unroll
  for (int sixteen = 0; sixteen < kDepth / 16; ++sixteen)
    multiply_add_halves(scores, unit.halves[sixteen], theirs.halves[sixteen]);
  unsigned unsure[kRows];
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const float a = scores[2 * r] + theirs.starts[0], b = scores[2 * r + 1] + theirs.starts[1];
    // The last three bits of a score say whose it is.
    auto with_place = [&](float score, int i) { return __uint_as_float((__float_as_uint(score) & ~7u) | (2 * q + i)); };
    const float first = with_place(a, 0), other = with_place(b, 1);
    float best = fmaxf(first, other), second = fminf(first, other), squares = unit.squares[r];
#pragma unroll
    for (int lanes = 1; lanes < 4; lanes *= 2) {
      const float others = __shfl_xor_sync(~0u, best, lanes), others_second = __shfl_xor_sync(~0u, second, lanes);
      squares += __shfl_xor_sync(~0u, squares, lanes);
      second = fmaxf(fmaxf(second, others_second), fminf(best, others));
      best = fmaxf(best, others);
    }
    places[r] = __float_as_uint(best) & 7;
    float root;
    asm("sqrt.approx.f32 %0, %1;" : "=f"(root) : "f"(squares));
    const float length = 1.001f * root, doubt = bounds.doubt_in_share(length, best);
    const bool sure = length < 65000.0f && best - second > doubt;
    const int which = entry(quad + r * 8);
    if (which & kSettled) places[r] = place_in_share(found[which & kIndex] % kMostCentres);
    unsure[r] = __ballot_sync(~0u, q == 0 && quad + r * 8 < count && !sure && !(which & kSettled));
  }
#pragma unroll 1
  while (unsure[0] | unsure[1]) {  // seldom
    const int r = unsure[0] ? 0 : 1, of = (__ffs(int(r == 0 ? unsure[0] : unsure[1])) - 1) / 4;
    const int nearest = nearest_exactly(p, centres, base + (entry(of + r * 8) & kIndex), share);
    if (r == 0) {
      unsure[0] &= unsure[0] - 1;
      if (quad == of) places[0] = nearest;
    } else {
      unsure[1] &= unsure[1] - 1;
      if (quad == of) places[1] = nearest;
    }
  }
#pragma unroll
  for (int r = 0; r < kRows; ++r)
    if (quad + r * 8 >= count) places[r] = -1;
}
