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

// Points of a warp, which its first lanes have, with their labels (-1: none): each lane adds one coordinate of a point,
// or two if there are more than 32. kAhead: so many points are loaded at a time.
template <int kPoints = 32, int kAhead = 4>
__device__ inline void add_globally(const Problem& p, int point, int label, const Answer& answer) {
  const int lane = threadIdx.x % 32;
  const bool has[2] = {lane < p.dimensions, lane + 32 < p.dimensions};
  if (label >= 0) atomicAdd(&answer.counts[label], 1);
  point = max(point, 0);
#pragma unroll 1
  for (int i = 0; i < kPoints; i += kAhead) {
    float x[kAhead][2];
#pragma unroll
    for (int ahead = 0; ahead < kAhead; ++ahead) {
      const float* from = p.coordinates + size_t(__shfl_sync(~0u, point, i + ahead)) * p.dimensions + lane;
      x[ahead][0] = has[0] ? __ldg(from) : 0.0f;
      x[ahead][1] = has[1] ? __ldg(from + 32) : 0.0f;
    }
#pragma unroll
    for (int ahead = 0; ahead < kAhead; ++ahead) {
      const int to = __shfl_sync(~0u, label, i + ahead);
      double* sums = answer.sums + size_t(max(to, 0)) * p.dimensions + lane;
      if (to >= 0 && has[0]) atomicAdd(sums, double(x[ahead][0]));
      if (to >= 0 && has[1]) atomicAdd(sums + 32, double(x[ahead][1]));
    }
  }
}

__device__ inline bool keep(int* labels, int point, int label) {
  if (labels[point] == label) return false;
  labels[point] = label;
  return true;
}
