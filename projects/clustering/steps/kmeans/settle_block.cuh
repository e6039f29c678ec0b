// Points of a block near a tie of shares: multiplied once more, all together, and compared in double precision with the
// centres that may be the nearest. Of most points these are two.
//
//   - Each warpgroup multiplies 64 points by all centres, as long as there are more than 128; the last ones are
//     multiplied by all warpgroups, each by its part of the centres. They note pairs of a point and a centre whose
//     score is not below the point's limit.
//   - All warps compare the pairs, four lanes each. Then the least distance of a point is known, and which centre has
//     it; of equally near ones the first.
//
// If there is no room for all pairs, fewer points are taken. There is room for those of three.
#pragma once

#include "scores.cuh"
#include "share_runs.cuh"

struct SettleMemory {
  static constexpr int kMostPoints = 1024, kMostPairs = 3 * kMostCentres, kFew = 3;
  unsigned short points[kMostPoints];     // of the block
  unsigned long long least[kMostPoints];  // squared distances, doubles as bits: these are in the same order
  int labels[kMostPoints];
  ushort2 pairs[kMostPairs];  // which of the points, and the centre
  double distances[kMostPairs];
  int point_count, pair_count;  // or more than there is room for
};

template <int kDepth>
struct Settle {
  const Problem& p;
  const float* centres;
  SettleMemory& memory;
  const uint4* halves;
  const Starts& starts;
  const unsigned (&factors)[4];
  unsigned short* found;  // what is known of the block's points (shares.cuh)
  int base, total;

  // By all threads.
  __device__ void run() {
    int most = SettleMemory::kMostPoints;
#pragma unroll 1
    while (true) {
      __syncthreads();
      if (threadIdx.x == 0) memory.point_count = memory.pair_count = 0;
      __syncthreads();
      collect(most);
      __syncthreads();
      const int count = min(memory.point_count, most);
      if (count == 0) return;
      const bool all = memory.point_count <= most;
      note_all(count);
      __syncthreads();
      if (memory.pair_count > SettleMemory::kMostPairs) {
        most = most > kTile ? kTile : SettleMemory::kFew;
        continue;
      }
      compare_pairs();
      __syncthreads();
      for (int i = threadIdx.x; i < memory.pair_count; i += kBlockThreads) {
        const ushort2 pair = memory.pairs[i];
        if (__double_as_longlong(memory.distances[i]) == static_cast<long long>(memory.least[pair.x]))
          atomicMin(&memory.labels[pair.x], int(pair.y));
      }
      __syncthreads();
      for (int i = threadIdx.x; i < count; i += kBlockThreads)
        found[memory.points[i]] = static_cast<unsigned short>(kSettled | memory.labels[i]);
      if (all) return;
    }
  }

  __device__ void collect(int most) {
    unsigned near = 0;  // bit i: the thread's i-th point
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      const int point = threadIdx.x + i * kBlockThreads;
      if (point < total && is_near(found[point])) near |= 1u << i;
    }
#pragma unroll 1
    for (; near; near &= near - 1) {
      const int point = threadIdx.x + (__ffs(int(near)) - 1) * kBlockThreads;
      const int at = atomicAdd(&memory.point_count, 1);
      if (at >= most) continue;
      memory.points[at] = static_cast<unsigned short>(point);
      memory.least[at] = ~0ull, memory.labels[at] = kMostCentres;
      // Their rows are wanted soon.
      const char* row = reinterpret_cast<const char*>(p.coordinates + size_t(base + point) * p.dimensions);
      for (int at_byte = 0; at_byte < p.dimensions * int(sizeof(float)); at_byte += 128)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(__cvta_generic_to_global(row + at_byte)));
    }
  }

  // As long as there are more than two tiles, each warpgroup multiplies one by all centres; the last ones are
  // multiplied by all warpgroups, each by its part of the centres.
  __device__ void note_all(int count) {
    const int warpgroup = __shfl_sync(~0u, int(threadIdx.x) / kGroupThreads, 0);
    const int part = (p.clusters + kWarpgroups * kColumns - 1) / (kWarpgroups * kColumns) * kColumns;
#pragma unroll 1
    for (int from = 0; from < count;) {
      const bool all = count - from > 2 * kTile;
      const int mine = all ? from + warpgroup * kTile : from;
      if (mine < count)
        note_pairs(mine, min(kTile, count - mine), all ? 0 : warpgroup * part,
                   all ? p.clusters : min((warpgroup + 1) * part, p.clusters));
      from += all ? kWarpgroups * kTile : kTile;
    }
  }

  // By a warpgroup: of so many points, kTile at most, and the centres from `begin` to `end`.
  __device__ __forceinline__ void note_pairs(int from, int count, int begin, int end) {
    const int lane = lane_of_thread();
    const float* rows[kRows];
    float limits[kRows];
    for (int r = 0; r < kRows; ++r) {
      const int point = memory.points[from + min(row_of(r), count - 1)];
      rows[r] = p.coordinates + size_t(base + point) * p.dimensions;
      limits[r] = row_of(r) < count ? limit_of(found[point]) : INFINITY;
    }
    Points<kDepth> points;
    points.read(p, rows, prepared.scale);
#pragma unroll 1
    for (int first = begin; first < end; first += kColumns) {
      Products scores;
      begin_scores(points, factors, halves, starts, first, scores);
      wait_for_sums(scores);
      // Bit i: the lane's i-th column, of its rows. The sign of a difference, shifted in, says that it is no candidate.
      unsigned bits[kRows];
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        bits[r] = 0;
#pragma unroll
        for (int i = kColumns / 4 - 1; i >= 0; --i)
          bits[r] = __funnelshift_l(__float_as_uint(scores[i / 2][2 * r + i % 2] - limits[r]), bits[r], 1);
        bits[r] = row_of(r) < count ? ~bits[r] : 0;
      }
      if (first + kColumns > p.clusters) {  // some columns are no centres, whatever the limit
        int centres = 0;
        while (centres < kColumns / 4 && first + centres / 2 * 8 + lane % 4 * 2 + centres % 2 < p.clusters) ++centres;
        const unsigned has = centres == 32 ? ~0u : (1u << centres) - 1;
        bits[0] &= has, bits[1] &= has;
      }
      int at = 0;
      if (bits[0] | bits[1]) at = atomicAdd(&memory.pair_count, __popc(bits[0]) + __popc(bits[1]));
#pragma unroll 1
      while (bits[0] | bits[1]) {
        const int r = bits[0] ? 0 : 1, i = __ffs(int(r == 0 ? bits[0] : bits[1])) - 1;
        const int centre = first + i / 2 * 8 + lane % 4 * 2 + i % 2;
        if (r == 0) bits[0] &= bits[0] - 1;
        if (r == 1) bits[1] &= bits[1] - 1;
        if (at < SettleMemory::kMostPairs)
          memory.pairs[at] = {static_cast<unsigned short>(from + row_of(r)), static_cast<unsigned short>(centre)};
        ++at;
      }
    }
  }

  __device__ void compare_pairs() {
    constexpr int kLanes = 4;
    const int part = threadIdx.x % kLanes, pairs = memory.pair_count;
#pragma unroll 1
    for (int at = threadIdx.x / kLanes; __any_sync(~0u, at < pairs); at += kBlockThreads / kLanes) {
      const ushort2 pair = memory.pairs[min(at, pairs - 1)];
      const float* x = p.coordinates + size_t(base + memory.points[pair.x]) * p.dimensions;
      const float* c = centres + size_t(pair.y) * p.dimensions;
      double sum = 0;
      auto add = [&](float x, float c) {
        const double along = double(x) - double(c);
        sum += along * along;
      };
      if (p.dimensions % 4 == 0 && reinterpret_cast<size_t>(p.coordinates) % 16 == 0) {
#pragma unroll 4
        for (int d = part * 4; d < p.dimensions; d += kLanes * 4) {
          const float4 a = *reinterpret_cast<const float4*>(x + d), b = *reinterpret_cast<const float4*>(c + d);
          add(a.x, b.x), add(a.y, b.y), add(a.z, b.z), add(a.w, b.w);
        }
      } else {
#pragma unroll 4
        for (int d = part; d < p.dimensions; d += kLanes) add(x[d], c[d]);
      }
      for (int lanes = 1; lanes < kLanes; lanes *= 2) sum += __shfl_xor_sync(~0u, sum, lanes);
      if (part == 0 && at < pairs) {
        memory.distances[at] = sum;
        atomicMin(&memory.least[pair.x], static_cast<unsigned long long>(__double_as_longlong(sum)));
      }
    }
  }
};
