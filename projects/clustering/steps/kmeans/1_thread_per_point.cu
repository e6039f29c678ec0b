// Step 1: a thread for each point.
//
// A thread reads its point again for each centre, and the centres as often as there are points: both come from L1 and
// L2. The sums are atomic additions to global memory, one for each coordinate of each point. With few clusters many
// points add to the same addresses, which the L2 cache serves one after the other: that is what step 2 changes.
#include "kmeans.cuh"

__global__ void assign(Problem p, const float* centres, int* labels, int* changed) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point >= p.points) return;
  const int label = nearest(p, p.coordinates + size_t(point) * p.dimensions, centres);
  if (label == labels[point]) return;
  labels[point] = label;
  atomicAdd(changed, 1);
}

__global__ void add_up(Problem p, const int* labels, double* sums, int* counts) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point >= p.points) return;
  const int label = labels[point];
  atomicAdd(&counts[label], 1);
  for (int d = 0; d < p.dimensions; ++d)
    atomicAdd(&sums[label * p.dimensions + d], double(p.coordinates[size_t(point) * p.dimensions + d]));
}

extern "C" void iterate(const float* coordinates, float* centres, int* labels, double* sums, int* counts, int* changed,
                        int points, int dimensions, int clusters) {
  const Problem p{coordinates, points, dimensions, clusters};
  const int blocks = (points + kThreads - 1) / kThreads;
  clear(p, sums, counts, changed);
  assign<<<blocks, kThreads>>>(p, centres, labels, changed);
  add_up<<<blocks, kThreads>>>(p, labels, sums, counts);
  move_centres(p, sums, counts, centres);
}
