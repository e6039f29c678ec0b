// Points near a tie of shares, 64 at a time: multiplied once more, and compared in double precision with all centres
// that may be the nearest. Of most points these are two.
//
// A warp notes candidates of its 16 points row by row, so that four lanes compare those of one row, all rows at a time:
// what is loaded for two candidates of 8 rows is on its way at once, and no lane waits for another's result.
#pragma once

#include "near_ties.cuh"
#include "prepared.cuh"

// Of a warp: as many centres as half a product can have of a row.
struct RowCandidates {
  static constexpr int kMost = kColumns / 2;
  unsigned short centres[16][kMost];
};

// Of a warpgroup.
struct SettlingRows {
  int points[kTile];
  int counts[kTile];  // candidates
  Nearest<kTile> nearest;
};

// By a warp: compares what has been noted of its rows. Four lanes have a row, and two candidates at a time.
__device__ inline void compare_rows(const Problem& p, const float* centres, const RowCandidates& candidates,
                                    SettlingRows& mine) {
  constexpr int kLanes = 4, kAtOnce = 2;
  const int warp = threadIdx.x % kGroupThreads / 32, lane = lane_of_thread(), part = lane % kLanes;
  __syncwarp();
#pragma unroll 1
  for (int first = 0; first < 16; first += 32 / kLanes) {
    const int in_warp = first + lane / kLanes, row = warp * 16 + in_warp, count = mine.counts[row];
    const float* x = p.coordinates + size_t(mine.points[row]) * p.dimensions;
    double least = mine.nearest.distances[row];
    int label = mine.nearest.labels[row];
#pragma unroll 1
    for (int at = 0; __any_sync(~0u, at < count); at += kAtOnce) {
      double sums[kAtOnce] = {};
      int which[kAtOnce];
      const float* c[kAtOnce];
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) {
        which[i] = at + i < count ? candidates.centres[in_warp][at + i] : 0;
        c[i] = centres + size_t(which[i]) * p.dimensions;
      }
      auto add = [&](float x, float c, double& sum) {
        const double along = double(x) - double(c);
        sum += along * along;
      };
      if (p.dimensions % 4 == 0 && reinterpret_cast<size_t>(p.coordinates) % 16 == 0) {
#pragma unroll 4
        for (int d = part * 4; d < p.dimensions; d += kLanes * 4) {
          const float4 a = *reinterpret_cast<const float4*>(x + d);
#pragma unroll
          for (int i = 0; i < kAtOnce; ++i) {
            const float4 b = *reinterpret_cast<const float4*>(c[i] + d);
            add(a.x, b.x, sums[i]), add(a.y, b.y, sums[i]), add(a.z, b.z, sums[i]), add(a.w, b.w, sums[i]);
          }
        }
      } else {
        for (int d = part; d < p.dimensions; d += kLanes)
          for (int i = 0; i < kAtOnce; ++i) add(x[d], c[i][d], sums[i]);
      }
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) {
        for (int lanes = 1; lanes < kLanes; lanes *= 2) sums[i] += __shfl_xor_sync(~0u, sums[i], lanes);
        const bool nearer = label < 0 || sums[i] < least || (sums[i] == least && which[i] < label);
        if (at + i < count && nearer) least = sums[i], label = which[i];
      }
    }
    __syncwarp();  // all have read what was there
    if (part == 0) mine.nearest.distances[row] = least, mine.nearest.labels[row] = label, mine.counts[row] = 0;
  }
  __syncwarp();
}

// By a warpgroup: of so many points, at most kTile, that `list` has, from `base` on. What is found of them is in
// mine.nearest.labels, for all of the warpgroup to see. limit(i): of the i-th. The centres' starts are lifted, as the
// limits are.
template <int kDepth, class Limit>
__device__ inline void settle_rows(const Problem& p, const float* centres, const Centres& split,
                                   RowCandidates& candidates, SettlingRows& mine, int warpgroup, int base,
                                   const unsigned short* list, int count, Limit limit) {
  const int thread = threadIdx.x % kGroupThreads, lane = lane_of_thread();
  meet(1 + warpgroup);  // all have done with the points before
  if (thread < kTile) {
    mine.points[thread] = base + list[min(thread, count - 1)], mine.counts[thread] = 0;
    mine.nearest.labels[thread] = -1, mine.nearest.distances[thread] = 0;
  }
  meet(1 + warpgroup);
  const float* rows[kRows];
  float limits[kRows];
  for (int r = 0; r < kRows; ++r) {
    rows[r] = p.coordinates + size_t(mine.points[row_of(r)]) * p.dimensions;
    limits[r] = row_of(r) < count ? limit(row_of(r)) : INFINITY;
  }
  Points<kDepth> points;
  points.read(p, rows, prepared.scale);
  multiply(p, points, split, [&](const Products& sums, int c) {
    // Bit i: the lane's i-th column is a candidate. The sign of a difference, shifted in, says whether it is not one.
    unsigned bits[kRows] = {};
#pragma unroll
    for (int sixteen = kColumns / 16 - 1; sixteen >= 0; --sixteen) {
      const float4 start = split.starts(c + sixteen * 16);
      const float starts[4] = {start.x, start.y, start.z, start.w};
#pragma unroll
      for (int r = 0; r < kRows; ++r)
#pragma unroll
        for (int i = 3; i >= 0; --i) {
          const float score = sums[2 * sixteen + i / 2][2 * r + i % 2] + starts[i];
          bits[r] = __funnelshift_l(__float_as_uint(score - limits[r]), bits[r], 1);
        }
    }
    for (int r = 0; r < kRows; ++r) bits[r] = ~bits[r];
    // Columns beyond the last centre count for nothing, whatever the limit.
    if (c + kColumns > p.clusters)
      for (int i = 0; i < kColumns / 4; ++i)
        if (c + i / 2 * 8 + lane % 4 * 2 + i % 2 >= p.clusters) bits[0] &= ~(1u << i), bits[1] &= ~(1u << i);
    if (!__any_sync(~0u, (bits[0] | bits[1]) != 0)) return;
    int more[kRows];
    for (int r = 0; r < kRows; ++r) {
      if (row_of(r) >= count) bits[r] = 0;
      more[r] = __popc(bits[r]);
      for (int lanes = 1; lanes < 4; lanes *= 2) more[r] += __shfl_xor_sync(~0u, more[r], lanes);
    }
    // Seldom there is only room for those of half the product.
    const int at_once = __any_sync(~0u, max(more[0], more[1]) > RowCandidates::kMost) ? 16 : 32;
#pragma unroll 1
    for (int first = 0; first < 32; first += at_once) {
      const unsigned part = at_once == 32 ? ~0u : 0xffffu << first;
      const bool full = mine.counts[row_of(0)] + min(more[0], RowCandidates::kMost) > RowCandidates::kMost ||
                        mine.counts[row_of(1)] + min(more[1], RowCandidates::kMost) > RowCandidates::kMost;
      if (__any_sync(~0u, full)) compare_rows(p, centres, candidates, mine);
      __syncwarp();  // all have read how many there are
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        unsigned noted = bits[r] & part;
        int at = noted ? atomicAdd(&mine.counts[row_of(r)], __popc(noted)) : 0;
        for (; noted; noted &= noted - 1) {
          const int i = __ffs(int(noted)) - 1, centre = c + i / 2 * 8 + lane % 4 * 2 + i % 2;
          candidates.centres[row_of(r) % 16][at++] = static_cast<unsigned short>(centre);
        }
      }
      __syncwarp();
    }
  });
  compare_rows(p, centres, candidates, mine);
  meet(1 + warpgroup);
}
