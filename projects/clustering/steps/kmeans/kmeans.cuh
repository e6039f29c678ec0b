// What the steps of k-means share: the problem, the nearest centre, and the moves of the centres.
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

constexpr int kThreads = 256;

struct Problem {
  const float* coordinates;  // of each point, one after the other
  int points, dimensions, clusters;
};

// The centre that is nearest; of equally near ones the first.
__device__ inline int nearest(const Problem& p, const float* point, const float* centres) {
  int best = 0;
  float least = 0;
  for (int c = 0; c < p.clusters; ++c) {
    float distance = 0;
    for (int d = 0; d < p.dimensions; ++d) {
      const float along = point[d] - centres[c * p.dimensions + d];
      distance += along * along;
    }
    if (c == 0 || distance < least) best = c, least = distance;
  }
  return best;
}

__global__ void clear_kernel(Problem p, double* sums, int* counts, int* changed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < p.clusters * p.dimensions) sums[i] = 0;
  if (i < p.clusters) counts[i] = 0;
  if (i == 0) *changed = 0;
}

// A cluster without points keeps its centre.
__global__ void move_kernel(Problem p, const double* sums, const int* counts, float* centres) {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");  // for the kernel before, should this one begin early (behind.cuh)
#endif
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= p.clusters * p.dimensions) return;
  const int count = counts[i / p.dimensions];
  if (count > 0) centres[i] = float(sums[i] / count);
}

inline int blocks_of_centres(const Problem& p) { return (p.clusters * p.dimensions + kThreads - 1) / kThreads; }
inline void clear(const Problem& p, double* sums, int* counts, int* changed) {
  clear_kernel<<<blocks_of_centres(p), kThreads>>>(p, sums, counts, changed);
}
inline void move_centres(const Problem& p, const double* sums, const int* counts, float* centres) {
  move_kernel<<<blocks_of_centres(p), kThreads>>>(p, sums, counts, centres);
}

// Calls `launch` with 16, 32 or 64 coordinates of a row: with the fewest that hold so many dimensions.
template <class Launch>
inline void at_depth(int dimensions, Launch launch) {
  if (dimensions <= 16)
    launch(std::integral_constant<int, 16>());
  else if (dimensions <= 32)
    launch(std::integral_constant<int, 32>());
  else
    launch(std::integral_constant<int, 64>());
}
