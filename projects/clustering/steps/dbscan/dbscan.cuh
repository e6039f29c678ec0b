// What the steps of DBSCAN share: the problem, sets that threads join at the same time, and the numbers of clusters.
//
// A point is near another when their distance is at most the reach. A *core* has at least so many points near it, itself
// among them. Cores that are near each other belong to one cluster; a point that is no core belongs to the first cluster
// that has a core near it, or is noise. (Ester, Kriegel, Sander, Xu: A density-based algorithm for discovering clusters,
// KDD 1996.)
//
// Each core has a root: in the end the smallest number of a core in its cluster. Clusters are numbered in the order of
// their roots, so that labels do not depend on the order in which threads run.
//
// A step says in a type `Neighbours` where it looks for near points, and the kernels here use it:
//     point(p, thread)         the point that a thread works on
//     visit(p, point, f)       f(other) for each near point, itself included, until f returns false
#pragma once

#include <climits>
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kNoRoot = -1;  // of a point that is no core

inline int blocks_for(int threads) { return (threads + kThreads - 1) / kThreads; }

struct Points {
  const float* coordinates;  // of each point, one after the other
  int count, dimensions;
  float reach;
  int least;  // points near a core, itself included

  __device__ const float* at(int point) const { return coordinates + size_t(point) * dimensions; }
};

// In single precision, as the coordinates are: the reference computes the same, so that both decide alike at the border.
__device__ inline bool near(const Points& p, const float* a, const float* b) {
  float square = 0;
  for (int d = 0; d < p.dimensions; ++d) {
    const float along = a[d] - b[d];
    square += along * along;
  }
  return square <= p.reach * p.reach;
}

// --- sets -----------------------------------------------------------------------------------------------------------

// Other threads change these words meanwhile.
__device__ inline int load(const int* at) {
  int value;
  asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(__cvta_generic_to_global(at)) : "memory");
  return value;
}
__device__ inline void store(int* at, int value) {
  asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" ::"l"(__cvta_generic_to_global(at)), "r"(value) : "memory");
}

// The root of a core's set. Each core that is passed on the way then points one place further up: a word that is no root
// never becomes one again, so whatever other threads write there is above it, too.
__device__ inline int root_of(int* roots, int core) {
  int above = load(&roots[core]);
  while (above != core) {
    const int next = load(&roots[above]);
    if (next != above) store(&roots[core], next);
    core = above;
    above = next;
  }
  return core;
}

// Makes one set of two. The larger root goes below the smaller one, unless another thread has put it elsewhere first.
__device__ inline void unite(int* roots, int a, int b) {
  for (;;) {
    a = root_of(roots, a);
    b = root_of(roots, b);
    if (a == b) return;
    const int upper = min(a, b), lower = max(a, b);
    if (atomicCAS(&roots[lower], lower, upper) == lower) return;
  }
}

// --- kernels over the neighbours of a step -----------------------------------------------------------------------------

template <class Neighbours>
__global__ void find_cores_kernel(Points p, Neighbours neighbours, int* roots) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= p.count) return;
  const int point = neighbours.point(p, thread);
  int found = 0;
  neighbours.visit(p, point, [&](int) { return ++found < p.least; });
  roots[point] = found >= p.least ? point : kNoRoot;
}

template <class Neighbours>
__global__ void join_kernel(Points p, Neighbours neighbours, int* roots) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= p.count) return;
  const int point = neighbours.point(p, thread);
  if (load(&roots[point]) == kNoRoot) return;
  neighbours.visit(p, point, [&](int other) {
    if (other < point && load(&roots[other]) != kNoRoot) unite(roots, point, other);
    return true;
  });
}

__global__ void flatten_kernel(Points p, int* roots) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point >= p.count || load(&roots[point]) == kNoRoot) return;
  store(&roots[point], root_of(roots, point));
}

// The root of the cluster that a point belongs to.
template <class Neighbours>
__global__ void find_owners_kernel(Points p, Neighbours neighbours, const int* roots, int* owners) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= p.count) return;
  const int point = neighbours.point(p, thread);
  int owner = roots[point];
  if (owner == kNoRoot) {
    int first = INT_MAX;
    neighbours.visit(p, point, [&](int other) {
      if (roots[other] != kNoRoot) first = min(first, roots[other]);
      return true;
    });
    if (first != INT_MAX) owner = first;
  }
  owners[point] = owner;
}

// --- sums of all earlier elements ----------------------------------------------------------------------------------------

constexpr int kTile = 1024;  // elements and threads of a block
inline int tiles_for(int count) { return (count + kTile - 1) / kTile; }

// The sum of a block's values up to each thread, its own included. All threads of the block take part.
__device__ inline int sum_up_to(int value, int* sums) {
  sums[threadIdx.x] = value;
  for (int step = 1; step < kTile; step *= 2) {
    __syncthreads();
    const int before = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
  }
  __syncthreads();
  return sums[threadIdx.x];
}

__global__ void scan_tiles_kernel(int* values, int count, int* totals) {
  __shared__ int sums[kTile];
  const int i = blockIdx.x * kTile + threadIdx.x;
  const int value = i < count ? values[i] : 0;
  const int up_to = sum_up_to(value, sums);
  if (i < count) values[i] = up_to - value;
  if (threadIdx.x == kTile - 1) totals[blockIdx.x] = up_to;
}
// By one block.
__global__ void scan_totals_kernel(int* totals, int tiles) {
  __shared__ int sums[kTile];
  int before = 0;
  for (int first = 0; first < tiles; first += kTile) {
    const int i = first + threadIdx.x;
    const int value = i < tiles ? totals[i] : 0;
    const int up_to = sum_up_to(value, sums);
    if (i < tiles) totals[i] = before + up_to - value;
    before += sums[kTile - 1];
    __syncthreads();
  }
}
__global__ void add_totals_kernel(int* values, int count, const int* totals) {
  const int i = blockIdx.x * kTile + threadIdx.x;
  if (i < count) values[i] += totals[blockIdx.x];
}
// Each value becomes the sum of those before it. `totals`: memory for tiles_for(count) numbers.
inline void scan(int* values, int count, int* totals) {
  scan_tiles_kernel<<<tiles_for(count), kTile>>>(values, count, totals);
  scan_totals_kernel<<<1, kTile>>>(totals, tiles_for(count));
  add_totals_kernel<<<tiles_for(count), kTile>>>(values, count, totals);
}

// --- labels ------------------------------------------------------------------------------------------------------------

__global__ void mark_roots_kernel(Points p, const int* roots, int* numbers) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point < p.count) numbers[point] = roots[point] == point;
}
__global__ void label_kernel(Points p, const int* owners, const int* numbers, int* labels) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point < p.count) labels[point] = owners[point] == kNoRoot ? -1 : numbers[owners[point]];
}

// Memory of a step between its calls begins with this.
struct LabelMemory {
  int *owners, *numbers, *totals;
  LabelMemory(int* work, int points) : owners(work), numbers(work + points), totals(work + 2 * points) {}
  static long size(int points) { return 2L * points + tiles_for(points); }
};

template <class Neighbours>
void label(const Points& p, const Neighbours& neighbours, const int* roots, int* work, int* labels) {
  const LabelMemory memory(work, p.count);
  find_owners_kernel<<<blocks_for(p.count), kThreads>>>(p, neighbours, roots, memory.owners);
  mark_roots_kernel<<<blocks_for(p.count), kThreads>>>(p, roots, memory.numbers);
  scan(memory.numbers, p.count, memory.totals);
  label_kernel<<<blocks_for(p.count), kThreads>>>(p, memory.owners, memory.numbers, labels);
}
