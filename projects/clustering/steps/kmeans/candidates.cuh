// Centres that may be the nearest of a warp's points, to be compared by the whole warp.
#pragma once

#include "halves.cuh"
#include "near_ties.cuh"

struct Candidates {
  static constexpr int kEnough = 32, kMost = kEnough + 32;
  int count;
  unsigned short which[kMost];  // 16 times the centre, and the point of the warp

  // By a warp: notes those among the centres from c on. Bit i is of the i-th centre of the lane, for row r. `points`:
  // those of the warpgroup's rows.
  __device__ void note(const Problem& p, const float* centres, unsigned bits, int r, int c, const int* points,
                       Nearest<kTile>& nearest) {
    while (__any_sync(~0u, bits != 0)) {
      const int i = __ffs(int(bits)) - 1, centre = c + i / 2 * 8 + lane_of_thread() % 4 * 2 + i % 2;
      if (bits != 0 && centre < p.clusters)
        which[atomicAdd(&count, 1)] = static_cast<unsigned short>(centre * 16 + row_of(r) % 16);
      bits &= bits - 1;
      __syncwarp();
      const bool enough = count > kEnough;
      __syncwarp();  // all have read it
      if (enough) compare(p, centres, points, nearest);
    }
  }

  __device__ void compare(const Problem& p, const float* centres, const int* points, Nearest<kTile>& nearest) {
    const int warp = threadIdx.x % kGroupThreads / 32;
    auto candidate = [&](int i) {
      const int row = warp * 16 + which[i] % 16;
      return Candidate{row, points[row], which[i] / 16};
    };
    compare_exactly(p, centres, count, candidate, nearest);
    __syncwarp();
    if (lane_of_thread() == 0) count = 0;
    __syncwarp();
  }
};
