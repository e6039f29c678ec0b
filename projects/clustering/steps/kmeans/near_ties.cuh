// Points that have more than one centre within the error of their scores: the nearest, in double precision.
#pragma once

#include "kmeans.cuh"

// Of each of so many points the nearest centre so far.
template <int kPoints>
struct Nearest {
  double distances[kPoints];
  int labels[kPoints];  // -1: none yet

  __device__ void meet(int slot, double distance, int c) {
    if (labels[slot] >= 0 && (distance > distances[slot] || (distance == distances[slot] && c > labels[slot]))) return;
    distances[slot] = distance, labels[slot] = c;
  }
};

struct Candidate {
  int slot;  // in Nearest
  int point, centre;
};

// By a warp: compares so many candidates, four at a time, eight lanes for each. of(i): the i-th.
template <int kPoints, class Of>
__device__ inline void compare_exactly(const Problem& p, const float* centres, int count, Of of,
                                       Nearest<kPoints>& nearest) {
  const int lane = threadIdx.x % 32, group = lane / 8;
  for (int begin = 0; begin < count; begin += 4) {
    const Candidate candidate = of(min(begin + group, count - 1));
    const float* x = &p.coordinates[size_t(candidate.point) * p.dimensions];
    const float* y = &centres[size_t(candidate.centre) * p.dimensions];
    double sum = 0;
#pragma unroll 8
    for (int d = lane % 8; d < p.dimensions; d += 8) {
      const double along = double(x[d]) - double(y[d]);
      sum += along * along;
    }
    for (int lanes = 1; lanes < 8; lanes *= 2) sum += __shfl_xor_sync(~0u, sum, lanes);
    for (int turn = 0; turn < 4; ++turn) {  // two may be of one point
      if (lane == turn * 8 && begin + group < count) nearest.meet(candidate.slot, sum, candidate.centre);
      __syncwarp();
    }
  }
}
