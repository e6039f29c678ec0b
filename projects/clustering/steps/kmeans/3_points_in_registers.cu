// Step 3: points in registers, and sums without atomics.
//
// A thread keeps two points in registers, and a block the centres in shared memory: one load of four coordinates of a
// centre serves eight differences, where step 2 loaded two numbers for each. Then the block sorts its tile of points by
// label, and threads that own a coordinate of a cluster add up its points one after the other, in registers. Atomic
// additions of doubles in shared memory, which step 2 has for each coordinate of each point, are loops of
// compare-and-swap.
//
//     tile     labels  2 0 1 0 2 ...      first[]  0 2 3 ...      order  1 3 | 2 | 0 4 | ...
//
// Shared memory holds 12 bytes for each coordinate of a cluster (more where clusters are few), and there are registers
// for 64 dimensions. Beyond either the steps before serve.
#include "kmeans.cuh"

constexpr int kPointsOfThread = 2, kTile = kThreads * kPointsOfThread;

// How many threads share the points of one cluster.
__host__ __device__ inline int parts_of(const Problem& p) {
  const int parts = kThreads / (p.clusters * p.dimensions);
  return parts > 0 ? parts : 1;
}

// kDimensions: p.dimensions, rounded up.
template <int kDimensions>
__device__ void read_point(const Problem& p, int point, float4 (&x)[kDimensions / 4]) {
  const float* from = p.coordinates + size_t(point) * p.dimensions;
  if (p.dimensions == kDimensions) {
    for (int i = 0; i < kDimensions / 4; ++i) x[i] = reinterpret_cast<const float4*>(from)[i];
  } else {
    float* to = &x[0].x;
#pragma unroll
    for (int d = 0; d < kDimensions; ++d) to[d] = d < p.dimensions ? from[d] : 0;
  }
}

__device__ inline void add_square(float x, float centre, float& distance) {
  const float along = x - centre;
  distance += along * along;
}

template <int kDimensions>
__global__ void __launch_bounds__(kThreads)
    assign_tiles(Problem p, const float* centres, int* labels, double* sums, int* counts, int* changed) {
  constexpr int kVectors = kDimensions / 4;
  extern __shared__ float4 near_centres[];  // kVectors of each cluster, then the sums
  const int coordinates = p.clusters * p.dimensions, owned = parts_of(p) * coordinates;
  double* own_sums = reinterpret_cast<double*>(near_centres + p.clusters * kVectors);
  int* first = reinterpret_cast<int*>(own_sums + owned);  // of each cluster in `order`, and the end
  int* found = first + p.clusters + 1;                    // points of each cluster, in the tile
  int* all_found = found + p.clusters;                    // ... in all tiles
  __shared__ int order[kTile];

  for (int i = threadIdx.x; i < p.clusters * kDimensions; i += kThreads) {
    const int c = i / kDimensions, d = i % kDimensions;
    (&near_centres[0].x)[i] = d < p.dimensions ? centres[c * p.dimensions + d] : 0;
  }
  for (int i = threadIdx.x; i < owned; i += kThreads) own_sums[i] = 0;
  for (int i = threadIdx.x; i < p.clusters; i += kThreads) found[i] = all_found[i] = 0;
  __syncthreads();

  int moved = 0;
  for (int begin = blockIdx.x * kTile; begin < p.points; begin += gridDim.x * kTile) {
    float4 x[kPointsOfThread][kVectors] = {};
    int label[kPointsOfThread] = {}, rank[kPointsOfThread];
    float least[kPointsOfThread];
    for (int k = 0; k < kPointsOfThread; ++k) {
      const int point = begin + k * kThreads + threadIdx.x;
      if (point < p.points) read_point<kDimensions>(p, point, x[k]);
    }
    for (int c = 0; c < p.clusters; ++c) {
      float distance[kPointsOfThread] = {};
#pragma unroll
      for (int i = 0; i < kVectors; ++i) {
        const float4 centre = near_centres[c * kVectors + i];
        for (int k = 0; k < kPointsOfThread; ++k) {
          add_square(x[k][i].x, centre.x, distance[k]);
          add_square(x[k][i].y, centre.y, distance[k]);
          add_square(x[k][i].z, centre.z, distance[k]);
          add_square(x[k][i].w, centre.w, distance[k]);
        }
      }
      for (int k = 0; k < kPointsOfThread; ++k)
        if (c == 0 || distance[k] < least[k]) label[k] = c, least[k] = distance[k];
    }
    for (int k = 0; k < kPointsOfThread; ++k) {
      const int point = begin + k * kThreads + threadIdx.x;
      if (point >= p.points) continue;
      rank[k] = atomicAdd(&found[label[k]], 1);
      if (label[k] != labels[point]) labels[point] = label[k], ++moved;
    }
    __syncthreads();

    if (threadIdx.x == 0) {
      int next = 0;
      for (int c = 0; c < p.clusters; ++c) first[c] = next, next += found[c];
      first[p.clusters] = next;
    }
    __syncthreads();
    for (int k = 0; k < kPointsOfThread; ++k) {
      const int point = begin + k * kThreads + threadIdx.x;
      if (point < p.points) order[first[label[k]] + rank[k]] = point;
    }
    for (int c = threadIdx.x; c < p.clusters; c += kThreads) all_found[c] += found[c], found[c] = 0;
    __syncthreads();

    for (int i = threadIdx.x; i < owned; i += kThreads) {
      const int part = i / coordinates, c = i % coordinates / p.dimensions, d = i % coordinates % p.dimensions;
      double sum = 0;
      for (int at = first[c] + part; at < first[c + 1]; at += parts_of(p))
        sum += double(p.coordinates[size_t(order[at]) * p.dimensions + d]);
      own_sums[i] += sum;
    }
    __syncthreads();
  }

  for (int i = threadIdx.x; i < owned; i += kThreads)
    if (own_sums[i] != 0) atomicAdd(&sums[i % coordinates], own_sums[i]);
  for (int c = threadIdx.x; c < p.clusters; c += kThreads)
    if (all_found[c] != 0) atomicAdd(&counts[c], all_found[c]);
  for (int distance = 16; distance > 0; distance /= 2) moved += __shfl_down_sync(~0u, moved, distance);
  if (threadIdx.x % 32 == 0 && moved > 0) atomicAdd(changed, moved);
}

template <int kDimensions>
void launch(const Problem& p, const float* centres, int* labels, double* sums, int* counts, int* changed) {
  const size_t shared = size_t(p.clusters) * kDimensions * sizeof(float) +
                        size_t(parts_of(p)) * p.clusters * p.dimensions * sizeof(double) +
                        (3 * size_t(p.clusters) + 1) * sizeof(int);
  int device = 0, multiprocessors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  const int tiles = (p.points + kTile - 1) / kTile, blocks = min(tiles, 4 * multiprocessors);
  assign_tiles<kDimensions><<<blocks, kThreads, shared>>>(p, centres, labels, sums, counts, changed);
}

extern "C" void iterate(const float* coordinates, float* centres, int* labels, double* sums, int* counts, int* changed,
                        int points, int dimensions, int clusters) {
  const Problem p{coordinates, points, dimensions, clusters};
  clear(p, sums, counts, changed);
  if (dimensions <= 4)
    launch<4>(p, centres, labels, sums, counts, changed);
  else if (dimensions <= 8)
    launch<8>(p, centres, labels, sums, counts, changed);
  else if (dimensions <= 16)
    launch<16>(p, centres, labels, sums, counts, changed);
  else if (dimensions <= 32)
    launch<32>(p, centres, labels, sums, counts, changed);
  else
    launch<64>(p, centres, labels, sums, counts, changed);
  move_centres(p, sums, counts, centres);
}
