// Points near a tie of shares: multiplied once more, and compared in double precision with all centres that may be the
// nearest.
#pragma once

#include "candidates.cuh"
#include "prepared.cuh"

// Of a warpgroup.
struct Settling {
  int points[kTile];
  Nearest<kTile> nearest;
  Candidates candidates[kGroupThreads / 32];

  __device__ Candidates& of_warp() { return candidates[threadIdx.x % kGroupThreads / 32]; }
};

// By a warpgroup: of so many points, at most kTile, that `list` has, from `base` on. What is found of them becomes
// their labels. The centres' starts are lifted, as the limits are.
template <int kDepth>
__device__ inline void settle(const Problem& p, const float* centres, const Centres& split, Settling& mine,
                              int warpgroup, int base, const unsigned short* list, int count, unsigned short* found) {
  const int thread = threadIdx.x % kGroupThreads;
  meet(1 + warpgroup);  // all have done with the points before
  if (thread < kTile) mine.nearest.labels[thread] = -1, mine.points[thread] = base + list[min(thread, count - 1)];
  if (thread < kGroupThreads / 32) mine.candidates[thread].count = 0;
  meet(1 + warpgroup);
  const float* rows[kRows];
  float limits[kRows];
  for (int r = 0; r < kRows; ++r) {
    rows[r] = p.coordinates + size_t(mine.points[row_of(r)]) * p.dimensions;
    limits[r] = limit_of(found[list[min(row_of(r), count - 1)]]);
  }
  Points<kDepth> points;
  points.read(p, rows, prepared.scale);
  multiply(p, points, split, [&](const Products& sums, int c) {
    unsigned bits[kRows] = {};
#pragma unroll
    for (int sixteen = 0; sixteen < kColumns / 16; ++sixteen) {
      const float4 start = split.starts(c + sixteen * 16);
      const float starts[4] = {start.x, start.y, start.z, start.w};
#pragma unroll
      for (int r = 0; r < kRows; ++r)
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const float score = sums[2 * sixteen + i / 2][2 * r + i % 2] + starts[i];
          bits[r] |= unsigned(!(score < limits[r])) << (sixteen * 4 + i);
        }
    }
    for (int r = 0; r < kRows; ++r)
      mine.of_warp().note(p, centres, row_of(r) < count ? bits[r] : 0, r, c, mine.points, mine.nearest);
  });
  mine.of_warp().compare(p, centres, mine.points, mine.nearest);
  meet(1 + warpgroup);
  if (thread < count) found[list[thread]] = static_cast<unsigned short>(kSettled | mine.nearest.labels[thread]);
}
