// Step 4: distances as products of matrices, on tensor cores.
//
// |x - c|² = |x|² + |c|² - 2 x·c, and |x|² is the same for all centres. So the nearest centre has the largest score
// x·c - |c|²/2: the product of points by centres, with -|c|²/2 to begin with (products.cuh). A warp keeps 32 points in
// registers and meets the centres in chunks of 32, which all warps of a block share. Nothing is stored but labels.
//
// Scores are not exact, and two centres may be closer to a tie than their error. The largest and the second largest are
// kept, and a point between which and the second there is no more than `doubt` waits. When as many wait as a block
// takes at a time, it looks through their scores again, and its warps compare the centres within `doubt` of the largest
// in double precision, as the distance is defined. So a label is right whatever the error is, below its bound:
//
//     x = h + l + r, each of h and l a bfloat16: |l| <= 2^-8 |x|, |r| <= 2^-16 |x|, likewise c. What h·h + h·l + l·h
//     leaves out is l·l, r·c and x·r: 3.1 · 2^-16 |x||c|.
//     A tensor core adds 16 products to a sum of 24 bits and cuts what lies below (Fasi, Higham, Mikaitis and Pranesh,
//     Numerical behavior of NVIDIA tensor cores, 2021): at most 18 · 2^-23 of the largest term for each of up to 12
//     times, 2^-15.2 (|x||c| + |c|²/2).
//     Together less than 0.8e-4 |c| (|x| + |c|/2), for each of two scores.
//
// The sums. Where clusters are few, each lane of a warp adds up in shared memory of its own, so that none waits for
// another; a block adds these to the global ones at its end. Where they are many, the additions of a warp are one
// coordinate of one point for each lane, atomic in the L2 cache, while other warps multiply.
//
// Found (H200): with 1024 clusters of 64 dimensions 1.77 ms for 2^20 points, 3.7 times as fast as the faster of
// PyTorch's two, and what fp32 could do at its peak. With up to 64 clusters it is slower than step 3.
#include "answer.cuh"
#include "near_ties.cuh"
#include "products.cuh"

constexpr float kDoubt = 1.6e-4f;

template <int kDepth>
__global__ void split_centres(Problem p, const float* centres, Answer answer) {
  begin_sums(p, answer);
  split_centre<kDepth>(p, centres, (blockIdx.x * blockDim.x + threadIdx.x) / 32);
}

// Sums of a block: of each warp, cluster and lane. A lane has one coordinate of each point that is its, or two.
struct OwnSums {
  double* sums;
  int* counts;
  int width;   // lanes of a point
  int rounds;  // coordinates of a lane
  static constexpr int kAhead = 4;

  __device__ void begin(const Problem& p, void* memory) {
    width = 1;
    while (width < p.dimensions && width < 32) width *= 2;
    rounds = (p.dimensions + 31) / 32;
    sums = static_cast<double*>(memory);
    counts = reinterpret_cast<int*>(sums + all(p));
    for (int i = threadIdx.x; i < all(p); i += kThreads) sums[i] = 0;
    for (int i = threadIdx.x; i < p.clusters; i += kThreads) counts[i] = 0;
  }
  __device__ int all(const Problem& p) const { return p.clusters * rounds * kThreads; }

  __device__ void add(const Problem& p, int point, int label) {
    const int lane = threadIdx.x % 32, which = lane / width, at_once = 32 / width;
    double* own = sums + (threadIdx.x / 32) * p.clusters * rounds * 32 + lane;
    if (label >= 0) atomicAdd(&counts[label], 1);
    for (int round = 0; round < rounds; ++round) {
      const int d = round * 32 + lane % width;
      for (int i = 0; i < width; i += kAhead) {
        float x[kAhead];
        int to[kAhead];
#pragma unroll
        for (int ahead = 0; ahead < kAhead; ++ahead) {
          const int of_lane = (i + ahead) * at_once + which;
          const int from = __shfl_sync(~0u, point, of_lane);
          to[ahead] = __shfl_sync(~0u, label, of_lane);
          if (i + ahead >= width || d >= p.dimensions) to[ahead] = -1;
          const size_t at = to[ahead] >= 0 ? size_t(from) * p.dimensions + d : 0;
          x[ahead] = __ldg(&p.coordinates[at]);
        }
#pragma unroll
        for (int ahead = 0; ahead < kAhead; ++ahead)
          if (to[ahead] >= 0) own[(to[ahead] * rounds + round) * 32] += double(x[ahead]);
      }
    }
  }

  __device__ void flush(const Problem& p, const Answer& answer) const {
    __syncthreads();
    for (int i = threadIdx.x; i < p.clusters * p.dimensions; i += kThreads) {
      const int c = i / p.dimensions, d = i % p.dimensions;
      double sum = 0;
      for (int warp = 0; warp < kThreads / 32; ++warp)
        for (int lane = d % 32; lane < 32; lane += width)
          sum += sums[((warp * p.clusters + c) * rounds + d / 32) * 32 + lane];
      if (sum != 0) atomicAdd(&answer.sums[i], sum);
    }
    for (int c = threadIdx.x; c < p.clusters; c += kThreads)
      if (counts[c] != 0) atomicAdd(&answer.counts[c], counts[c]);
  }
};

// Centres that may be the nearest of a warp's points, to be compared in double precision by the whole warp.
struct Candidates {
  static constexpr int kEnough = 32, kMost = kEnough + 32 * Scores::kAll;
  int count;
  int which[kMost];  // 32 times the centre, and the point of the warp
};

// A block's points whose label is not certain yet, and what is found of a tile of them.
struct Waiting {
  int count;
  int points[2 * kTile];
  float limits[2 * kTile];  // a centre whose score is below it is not the nearest
  Nearest<kTile> nearest;
  Candidates candidates[kThreads / 32];

  // Whether a tile of them is full.
  __device__ bool put(int point, float limit) {
    const int slot = atomicAdd(&count, 1);
    points[slot] = point, limits[slot] = limit;
    return slot + 1 >= kTile;
  }

  // By a warp, whose points wait from `first` on: notes the candidates among its scores, a bit for each.
  __device__ void note(const Problem& p, const float* centres, unsigned bits, int c, int first, int last) {
    Candidates& mine = candidates[threadIdx.x / 32];
    for (; bits != 0; bits &= bits - 1) {
      const int i = __ffs(int(bits)) - 1, row = row_of(Scores::row(i)), centre = c + Scores::column(i);
      if (first + row < last && centre < p.clusters) mine.which[atomicAdd(&mine.count, 1)] = centre * 32 + row;
    }
    __syncwarp();
    if (mine.count > Candidates::kEnough) compare(p, centres, first);
  }

  __device__ void compare(const Problem& p, const float* centres, int first) {
    const int warps_first = int(threadIdx.x) / 32 * 32;
    Candidates& mine = candidates[threadIdx.x / 32];
    auto candidate = [&](int i) {
      const int slot = warps_first + mine.which[i] % 32;
      return Candidate{slot, points[first + mine.which[i] % 32], mine.which[i] / 32};
    };
    compare_exactly(p, centres, mine.count, candidate, nearest);
    if (threadIdx.x % 32 == 0) mine.count = 0;
    __syncwarp();
  }
};

// kOwn: sums in shared memory.
template <int kDepth, bool kOwn>
__global__ void __launch_bounds__(kThreads, kBlocks)
    assign_by_products(Problem p, const float* centres, Answer answer) {
  extern __shared__ uint4 memory[];
  __shared__ Waiting waiting;
  auto* ring = reinterpret_cast<Chunk<kDepth>*>(memory);
  OwnSums own;
  if constexpr (kOwn) own.begin(p, ring + kStages);
  if (threadIdx.x == 0) waiting.count = 0;
  if (threadIdx.x % 32 == 0) waiting.candidates[threadIdx.x / 32].count = 0;
  Chunks<kDepth> chunks(p, ring);
  const float longest = longest_centre<kDepth>(p);
  const int lane = threadIdx.x % 32;
  int moved = 0;
  bool settling = false;  // this tile is of points that wait
  for (int begin = blockIdx.x * kTile;;) {
    const int last = settling ? waiting.count : p.points, left = settling ? max(0, last - kTile) : begin;
    const int first = left + int(threadIdx.x) - lane;  // of the warp
    Points<kDepth> points;
    Largest largest[kRows];
    int which[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const int slot = first + row_of(r);
      which[r] = slot >= last ? -1 : settling ? waiting.points[slot] : slot;
      if (settling && slot < last) largest[r].score = waiting.limits[slot];
    }
    points.read(p, which);
    if (settling) waiting.nearest.labels[threadIdx.x] = -1;
    chunks.multiply(p, points, [&](const Scores& scores, int c) {
      if (settling) {
        unsigned candidates = 0;
#pragma unroll
        for (int i = 0; i < Scores::kAll; ++i)
          candidates |= unsigned(!(scores.at(i) < largest[Scores::row(i)].score)) << i;
        waiting.note(p, centres, candidates, c, first, last);
      } else {
#pragma unroll
        for (int i = 0; i < Scores::kAll; ++i) largest[Scores::row(i)].meet(scores.at(i), c + Scores::column(i));
      }
    });

    int label = -1;
    float limit = 0;
    if (settling) {
      waiting.compare(p, centres, first);
      label = waiting.nearest.labels[threadIdx.x];
    } else {
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        largest[r].combine_quad();
        const float doubt = kDoubt * longest * (points.length(r) + 0.5f * longest);
        const bool certain = largest[r].score - largest[r].second > doubt;
        const int found = by_point(certain ? largest[r].label : -1);
        const float below = by_point(largest[r].score - doubt);
        if (lane / 8 == r) label = found, limit = below;
      }
    }
    const int slot = first + lane, point = slot >= last ? -1 : settling ? waiting.points[slot] : slot;
    if (point < 0) label = -1;
    const bool full = point >= 0 && label < 0 && waiting.put(point, limit);
    if (label >= 0) moved += keep(answer.labels, point, label);
    if constexpr (kOwn)
      own.add(p, point, label);
    else
      add_globally(p, point, label, answer);

    if (settling) {
      __syncthreads();  // all have read the list
      if (threadIdx.x == 0) waiting.count = left;
    } else {
      begin += gridDim.x * kTile;
    }
    const bool some_full = __syncthreads_or(full), done = begin >= p.points;
    settling = some_full || (done && waiting.count > 0);
    if (done && !settling) break;
  }
  chunks.end();
  if constexpr (kOwn) own.flush(p, answer);
  for (int distance = 16; distance > 0; distance /= 2) moved += __shfl_down_sync(~0u, moved, distance);
  if (lane == 0 && moved > 0) atomicAdd(answer.changed, moved);
}

template <class Kernel>
inline int fill(Kernel* kernel, size_t shared, int tiles) {
  int device = 0, multiprocessors = 0, each = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared));
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, kThreads, shared);
  return min(tiles, multiprocessors * each);
}

template <int kDepth, bool kOwn>
void assign(const Problem& p, const float* centres, const Answer& answer, size_t shared) {
  const int blocks = fill(assign_by_products<kDepth, kOwn>, shared, (p.points + kTile - 1) / kTile);
  assign_by_products<kDepth, kOwn><<<blocks, kThreads, shared>>>(p, centres, answer);
}

template <int kDepth>
void launch(const Problem& p, float* centres, const Answer& answer) {
  const size_t ring = kStages * sizeof(Chunk<kDepth>), rounds = (p.dimensions + 31) / 32;
  const size_t own = p.clusters * (rounds * kThreads * sizeof(double) + sizeof(int));
  split_centres<kDepth><<<chunks_of(p) * kChunk * 32 / kThreads, kThreads>>>(p, centres, answer);
  if (own <= kMostOwn)
    assign<kDepth, true>(p, centres, answer, ring + own);
  else
    assign<kDepth, false>(p, centres, answer, ring);
  move_centres(p, answer.sums, answer.counts, centres);
}

extern "C" void iterate(const float* coordinates, float* centres, int* labels, double* sums, int* counts, int* changed,
                        int points, int dimensions, int clusters) {
  const Problem p{coordinates, points, dimensions, clusters};
  const Answer answer{labels, sums, counts, changed};
  at_depth(dimensions, [&](auto depth) { launch<depth.value>(p, centres, answer); });
}
