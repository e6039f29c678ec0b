// What an iteration that adds up in the L2 cache finds: labels, and of each cluster the sum and the number of its
// points.
#pragma once

#include "kmeans.cuh"

struct Answer {
  int* labels;
  double* sums;
  int *counts, *changed;
};

__device__ inline void begin_sums(const Problem& p, const Answer& answer) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  for (int i = thread; i < p.clusters * p.dimensions; i += threads) answer.sums[i] = 0;
  for (int i = thread; i < p.clusters; i += threads) answer.counts[i] = 0;
  if (thread == 0) *answer.changed = 0;
}

// Points of a warp, which its first lanes have, with their labels (-1: none): each lane adds one coordinate of a point.
template <int kPoints = 32>
__device__ inline void add_globally(const Problem& p, int point, int label, const Answer& answer) {
  const int lane = threadIdx.x % 32;
  if (label >= 0) atomicAdd(&answer.counts[label], 1);
  constexpr int kAhead = 4;
  for (int d = lane; d - lane < p.dimensions; d += 32)
#pragma unroll 1
    for (int i = 0; i < kPoints; i += kAhead) {
      float x[kAhead];
      int to[kAhead];
#pragma unroll
      for (int ahead = 0; ahead < kAhead; ++ahead) {
        const int from = __shfl_sync(~0u, point, i + ahead);
        to[ahead] = __shfl_sync(~0u, label, i + ahead);
        if (d >= p.dimensions) to[ahead] = -1;
        x[ahead] = __ldg(&p.coordinates[to[ahead] >= 0 ? size_t(from) * p.dimensions + d : 0]);
      }
#pragma unroll
      for (int ahead = 0; ahead < kAhead; ++ahead)
        if (to[ahead] >= 0) atomicAdd(&answer.sums[size_t(to[ahead]) * p.dimensions + d], double(x[ahead]));
    }
}

__device__ inline bool keep(int* labels, int point, int label) {
  if (labels[point] == label) return false;
  labels[point] = label;
  return true;
}
