// Points near a tie of shares: multiplied once more, and compared in double precision with all centres that may be the
// nearest.
#pragma once

#include "near_ties.cuh"
#include "prepared.cuh"

// Centres that may be the nearest of a warp's points, to be compared by the whole warp.
struct Candidates {
  static constexpr int kEnough = 32, kMost = kEnough + 32;
  int count;
  unsigned short which[kMost];  // 16 times the centre, and the point of the warp
};

// Of a warpgroup.
struct Settling {
  int points[kTile];
  Nearest<kTile> nearest;
  Candidates candidates[kGroupThreads / 32];

  // By a warp: notes the candidates among centres from c on. Bit i is of the i-th centre of the lane, for row r.
  __device__ void note(const Problem& p, const float* centres, unsigned bits, int r, int c) {
    Candidates& mine = candidates[threadIdx.x % kGroupThreads / 32];
    while (__any_sync(~0u, bits != 0)) {
      const int i = __ffs(int(bits)) - 1, centre = c + i / 2 * 8 + lane_of_thread() % 4 * 2 + i % 2;
      if (bits != 0 && centre < p.clusters)
        mine.which[atomicAdd(&mine.count, 1)] = static_cast<unsigned short>(centre * 16 + row_of(r) % 16);
      bits &= bits - 1;
      __syncwarp();
      const bool enough = mine.count > Candidates::kEnough;
      __syncwarp();  // all have read it
      if (enough) compare(p, centres);
    }
  }
  __device__ void compare(const Problem& p, const float* centres) {
    const int warp = threadIdx.x % kGroupThreads / 32;
    Candidates& mine = candidates[warp];
    auto candidate = [&](int i) {
      const int row = warp * 16 + mine.which[i] % 16;
      return Candidate{row, points[row], mine.which[i] / 16};
    };
    compare_exactly(p, centres, mine.count, candidate, nearest);
    __syncwarp();
    if (lane_of_thread() == 0) mine.count = 0;
    __syncwarp();
  }
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
    for (int r = 0; r < kRows; ++r) mine.note(p, centres, row_of(r) < count ? bits[r] : 0, r, c);
  });
  mine.compare(p, centres);
  meet(1 + warpgroup);
  if (thread < count) found[list[thread]] = static_cast<unsigned short>(kSettled | mine.nearest.labels[thread]);
}
