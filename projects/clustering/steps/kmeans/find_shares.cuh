// The share with the nearest centre, of each point.
//
// A product has 16 coordinates more than the points: there a point has kFactor twice, and a centre the sum of two
// halves, which is its start over kFactor. So the tensor core's sums are whole scores. Adding starts afterwards would
// read them from shared memory, for each product again, as much as the product reads: then both wait for it.
//
// Scores are lifted until the largest are not negative and compared as integers, for which one instruction has the
// largest of three. A share's largest score has the share's number in its last bits.
#pragma once

#include "prepared.cuh"

// Of a lane's row: the largest score of a share and the second largest.
struct Best {
  int score = 0, second = 0;

  // Two others, the larger first.
  __device__ void meet(int more, int less) {
    second = max(max(second, less), min(score, more));
    score = max(score, more);
  }
  // With the other lanes of the row.
  __device__ void combine_quad() {
    for (int lanes = 1; lanes < 4; lanes *= 2) {
      const int other = __shfl_xor_sync(~0u, score, lanes), others_second = __shfl_xor_sync(~0u, second, lanes);
      meet(other, others_second);
    }
  }
  // If all scores are negative both are zero, and nothing is certain.
  __device__ unsigned short found(float doubt) const {
    if (__int_as_float(score) - __int_as_float(second) > doubt) return static_cast<unsigned short>(score % kShares);
    return near_with(__int_as_float(score & ~(kShares - 1)) - doubt);
  }
};

struct Starts {
  static constexpr float kFactor = 128;
  static constexpr unsigned kFactorTwice = 0x58005800;  // as halves
  uint4 parts[kMostCentres];                            // two halves count

  __device__ void put(int row, float start) {
    const __half high = __float2half_rn(start / kFactor), low = __float2half_rn(start / kFactor - __half2float(high));
    const __half2 both = __halves2half2(high, low);
    parts[row] = {reinterpret_cast<const unsigned&>(both), 0, 0, 0};
  }
  // Rows of 16 bytes, without a swizzle. Where a row has 16 more, the first factor has zeros: they are the same again.
  __device__ unsigned long long tile(int first) const {
    constexpr unsigned long long kEightRows = 128 / 16;
    return (shared_address(&parts[first]) & 0x3ffff) / 16 | kEightRows << 32;
  }
};

template <int kDepth>
__device__ __forceinline__ void begin_scores(const Points<kDepth>& points, const unsigned (&factors)[4],
                                             const uint4* halves, const Starts& starts, int first, Products& sums) {
  const unsigned long long tile = tile_of(&halves[first * Centres::kPieces]);
  begin_products();
  product_from_registers<0>(__half{}, sums, factors, starts.tile(first));
#pragma unroll
  for (int sixteen = 0; sixteen < kDepth / 16; ++sixteen)
    product_from_registers<1>(__half{}, sums, points.halves[sixteen], along(tile, sixteen * kProductBytes));
  end_products();
}

__device__ __forceinline__ int most_of(float a, float b, int c) {
  return max(max(__float_as_int(a), __float_as_int(b)), c);
}

// The scores of the lane's centres from `first` on: two shares at a time.
__device__ __forceinline__ void meet_scores(const Products& scores, int first, Best (&best)[kRows]) {
  const int share = first / kBlockOfShare * 4 + lane_of_thread() % 4;
#pragma unroll
  for (int two = 0; two < kColumns / kBlockOfShare; two += 2)
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      int most[2];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const float(*eights)[4] = &scores[(two + i) * 4];
        int score = most_of(eights[0][2 * r], eights[0][2 * r + 1], __float_as_int(eights[1][2 * r]));
        score = most_of(eights[1][2 * r + 1], eights[2][2 * r], score);
        score = most_of(eights[2][2 * r + 1], eights[3][2 * r], score);
        score = max(score, __float_as_int(eights[3][2 * r + 1]));
        most[i] = (score & ~(kShares - 1)) | (share + (two + i) * 4);
      }
      best[r].meet(max(most[0], most[1]), min(most[0], most[1]));
    }
}

struct FindMemory {
  alignas(1024) uint4 halves[kMostCentres * Centres::kPieces];
  Starts starts;
  alignas(16) float tiles[kWarpgroups][kTile * 64];  // the points that come next, a row after the other
  float2 lengths[kWarpgroups][kTile];                // of points, and of what rounding took
  Barrier landed[kWarpgroups], centres_landed;
};
static_assert(sizeof(FindMemory) <= 227 << 10);

// The tiles of a warpgroup, one after the other. The copy engine brings the next one while there is work on one.
struct Tiles {
  const Problem& p;
  float* place;
  Barrier* landed;
  int first;  // point of the tile
  int step;
  unsigned round = 0;

  __device__ Tiles(const Problem& problem, FindMemory& memory, int warpgroup)
      : p(problem),
        place(memory.tiles[warpgroup]),
        landed(&memory.landed[warpgroup]),
        first((blockIdx.x * kWarpgroups + warpgroup) * kTile),
        step(gridDim.x * kWarpgroups * kTile) {}
  // Whether the engine can copy it: all of it, from where copies may begin.
  __device__ bool whole(int tile) const {
    return tile + kTile <= p.points && reinterpret_cast<size_t>(p.coordinates) % 16 == 0;
  }
  // By one thread, when nobody reads the place.
  __device__ void ask(int tile) const {
    if (!whole(tile)) return;
    const unsigned bytes = kTile * p.dimensions * sizeof(float);
    expect_bytes(landed, bytes);
    copy_in(place, &p.coordinates[size_t(tile) * p.dimensions], bytes, landed);
  }
  // Two branches, so that the compiler knows where it reads shared memory.
  template <int kDepth>
  __device__ void read(Points<kDepth>& points, float scale) {
    const float* rows[kRows];
    if (whole(first)) {
      wait_for(landed, round);
      round ^= 1;
      for (int r = 0; r < kRows; ++r) rows[r] = place + row_of(r) * p.dimensions;
      points.read(p, rows, scale);
    } else {
      for (int r = 0; r < kRows; ++r)
        rows[r] = p.coordinates + size_t(min(first + row_of(r), p.points - 1)) * p.dimensions;
      points.read(p, rows, scale);
    }
  }
};

// Labels become what is known of the points (shares.cuh).
template <int kDepth>
__global__ void __launch_bounds__(kBlockThreads, 1) find_shares(Problem p, int* labels) {
  extern __shared__ __align__(1024) unsigned char bytes[];
  FindMemory& memory = *reinterpret_cast<FindMemory*>(bytes);
  // Of the first lane, so that the compiler knows that a warp's lanes agree: products want that.
  const int warpgroup = __shfl_sync(~0u, int(threadIdx.x) / kGroupThreads, 0);
  const int thread = int(threadIdx.x) % kGroupThreads, lane = lane_of_thread();
  Tiles tiles(p, memory, warpgroup);
  if (thread == 0) {
    barrier_init(&memory.landed[warpgroup]);
    tiles.ask(tiles.first);
  }
  copy_halves(p, memory.halves, &memory.centres_landed);
  const ScoreBounds bounds;
  for (int i = threadIdx.x; i < rows_of(p); i += kBlockThreads)
    memory.starts.put(i, i < p.clusters ? prepared.starts[i] + bounds.lift() : -65504 * Starts::kFactor);
  show_to_copy_engine();  // and to the tensor core
  __syncthreads();
  wait_for(&memory.centres_landed, 0);

  const unsigned factor = lane % 4 == 0 ? Starts::kFactorTwice : 0;
  const unsigned factors[4] = {factor, factor, 0, 0};
#pragma unroll 1
  for (; tiles.first < p.points; tiles.first += tiles.step) {
    int before[kRows] = {};
    for (int r = 0; r < kRows; ++r)
      if (lane % 4 == 0 && tiles.first + row_of(r) < p.points) before[r] = labels[tiles.first + row_of(r)];
    Points<kDepth> points;
    tiles.read(points, prepared.scale);
    for (int r = 0; r < kRows; ++r)
      if (lane % 4 == 0) memory.lengths[warpgroup][row_of(r)] = {points.length[r], points.off[r]};
    meet(1 + warpgroup);  // the tile is in registers
    if (thread == 0) tiles.ask(tiles.first + tiles.step);
    Best best[kRows];
#pragma unroll 1
    for (int first = 0; first < p.clusters; first += kColumns) {
      Products scores;
      begin_scores(points, factors, memory.halves, memory.starts, first, scores);
      wait_for_sums(scores);
      meet_scores(scores, first, best);
    }
    for (int r = 0; r < kRows; ++r) {
      best[r].combine_quad();
      const int point = tiles.first + row_of(r);
      const float2 length = memory.lengths[warpgroup][row_of(r)];
      const float doubt = bounds.doubt_at(length.x, length.y, __int_as_float(best[r].score & ~(kShares - 1)));
      if (lane % 4 == 0 && point < p.points) labels[point] = packed(best[r].found(doubt), before[r]);
    }
  }
}
