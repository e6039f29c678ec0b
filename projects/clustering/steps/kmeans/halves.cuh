// The product of points by centres in half precision, by a warpgroup (sm_90a), and how far it may be off.
//
// Points and centres are scaled by a power of two, which brings the largest coordinate of a centre near 2^7, and
// rounded to half precision: x = h + r, c = h' + r'. A score is h·h' - |c|²/2. All centres are in shared memory, a row
// of 128 bytes each, as wgmma.h wants them. A warpgroup has 64 points in registers: a lane has two rows, 8 apart, and
// of each two neighbouring coordinates out of eight.
//
// The error of a score is at most
//
//     |r| |c| + |h| |r'|       since x·c - h·h' = r·c + h·r'; |r| is known of each point, the longest r' of all centres
//   + 2^-14 (|x||c| + |c|²/2)  sums in fp32 of up to 64 products that the tensor core cuts to 24 bits (products.cuh has
//                              the source: 4 times 18 · 2^-23), of |c|² and with it, and what kIds takes: 2^-15
#pragma once

#include <cuda_fp16.h>

#include <cfloat>

#include "../../../../kernels/parts/roles.h"
#include "../../../../kernels/parts/wgmma.h"
#include "kmeans.cuh"

constexpr int kWarpgroups = 4, kGroupThreads = 128, kBlockThreads = kWarpgroups * kGroupThreads;
constexpr int kTile = 64;                           // points of a warpgroup
constexpr int kMostCentres = 1024, kColumns = 128;  // of one product
constexpr int kRows = 2;                            // of a lane
constexpr int kEights = 2;  // centres that a lane compares at once, by eight, of which it has two
constexpr unsigned kIds = 4 * kMostCentres / (8 * kEights);  // groups of these: a power of two

constexpr int kFinders = 64;  // blocks that look for the largest coordinate of a centre
__device__ float largest_of_block[kFinders];

__device__ inline float block_max(float value) {
  __shared__ float of_warp[kBlockThreads / 32];
  for (int lanes = 16; lanes > 0; lanes /= 2) value = fmaxf(value, __shfl_xor_sync(~0u, value, lanes));
  __syncthreads();  // all have read what was there before
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  for (int warp = 0; warp < kBlockThreads / 32; ++warp) value = fmaxf(value, of_warp[warp]);
  return value;
}

// The power of two that brings the largest coordinate of a centre to 128 or more, and below 256; the nearest there is
// where that would be too large or too small for fp32.
__device__ inline float scale_of_centres() {
  const float largest = block_max(threadIdx.x < kFinders ? largest_of_block[threadIdx.x] : 0.0f);
  const int exponent = int(__float_as_uint(largest) >> 23);  // and 127
  return __uint_as_float(unsigned(max(1, min(254, 7 + 2 * 127 - exponent))) << 23);
}

// Coordinates of a row from `first` on, scaled; zeros behind the last.
template <int kCount>
__device__ inline void read_row(const Problem& p, const float* row, int first, float scale, float (&to)[kCount]) {
  if (p.dimensions % kCount == 0 && first < p.dimensions) {
    using Vector = typename std::conditional<kCount == 2, float2, float4>::type;
    Vector vectors[kCount * sizeof(float) / sizeof(Vector)];
    for (int i = 0; i < int(sizeof vectors / sizeof *vectors); ++i)
      vectors[i] = __ldg(reinterpret_cast<const Vector*>(row + first) + i);
    for (int i = 0; i < kCount; ++i) to[i] = reinterpret_cast<const float*>(vectors)[i] * scale;
  } else {
    for (int i = 0; i < kCount; ++i)
      to[i] = first + i < p.dimensions ? __ldg(row + min(first + i, p.dimensions - 1)) * scale : 0.0f;
  }
}

// Coordinates in half precision, the sum of their squares, and that of the squares of what rounding took.
template <int kCount>
struct Rounded {
  alignas(2 * kCount) __half2 halves[kCount / 2];
  float squares = 0, off = 0;

  __device__ explicit Rounded(const float (&x)[kCount]) {
#pragma unroll
    for (int pair = 0; pair < kCount / 2; ++pair) {
      const float2 two = {x[2 * pair], x[2 * pair + 1]};
      halves[pair] = __floats2half2_rn(two.x, two.y);
      const float2 back = __half22float2(halves[pair]);
      squares += two.x * two.x + two.y * two.y;
      off += (two.x - back.x) * (two.x - back.x) + (two.y - back.y) * (two.y - back.y);
    }
  }
  // Both sums, over so many neighbouring lanes.
  __device__ void add_up(int count) {
    for (int lanes = 1; lanes < count; lanes *= 2) {
      squares += __shfl_xor_sync(~0u, squares, lanes);
      off += __shfl_xor_sync(~0u, off, lanes);
    }
  }
};

// The centres in shared memory. A row's pieces of 16 bytes are swizzled as the copy engine would do it (wgmma.h).
struct Centres {
  uint4 halves[kMostCentres * kTileBytes / sizeof(uint4)];
  float start[kMostCentres];  // -|c|²/2; of rows without a centre, a score that none has

  static constexpr int kPieces = kTileBytes / sizeof(uint4);
  __device__ static int place(int row, int piece) { return row * kPieces + (piece ^ row % kPieces); }

  // Rows beyond the last centre fill the last products.
  __device__ static int rows(const Problem& p) { return (p.clusters + kColumns - 1) / kColumns * kColumns; }
};

// How long the longest centre is, and the longest difference between one and its halves; both scaled.
struct Bounds {
  float centre = 0, difference = 0;

  // At least twice the error of a score of a point of this length, whose halves are so far from it.
  __device__ float doubt(float length, float off) const {
    const float error = off * centre + (length + off) * difference + (length + 0.5f * centre) * centre * 0x1p-14f;
    return 2.05f * error;
  }
};

// By all threads of the block: eight lanes to a row.
template <int kDepth>
__device__ inline Bounds split_centres(const Problem& p, const float* centres, float scale, Centres& to) {
  float most = 0, most_off = 0;
  const int rows = Centres::rows(p);
  constexpr int kAhead = 2;  // rows are a multiple of so many times the threads
#pragma unroll 1
  for (int i = threadIdx.x; i < rows * Centres::kPieces; i += kAhead * kBlockThreads) {
    float x[kAhead][8] = {};
#pragma unroll
    for (int ahead = 0; ahead < kAhead; ++ahead) {
      const int row = i / Centres::kPieces + ahead * (kBlockThreads / Centres::kPieces), piece = i % Centres::kPieces;
      if (row < p.clusters) read_row(p, centres + size_t(row) * p.dimensions, piece * 8, scale, x[ahead]);
    }
#pragma unroll
    for (int ahead = 0; ahead < kAhead; ++ahead) {
      const int row = i / Centres::kPieces + ahead * (kBlockThreads / Centres::kPieces), piece = i % Centres::kPieces;
      Rounded<8> rounded(x[ahead]);
      to.halves[Centres::place(row, piece)] = reinterpret_cast<const uint4&>(rounded.halves);
      rounded.add_up(Centres::kPieces);
      if (piece == 0) to.start[row] = row < p.clusters ? -0.5f * rounded.squares : -FLT_MAX / 2;
      most = fmaxf(most, rounded.squares), most_off = fmaxf(most_off, rounded.off);
    }
  }
  // What the threads have written is for the tensor core, too.
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  return {1.001f * sqrtf(block_max(most)), 1.001f * sqrtf(block_max(most_off))};
}

__device__ inline int lane_of_thread() { return int(threadIdx.x) % 32; }
// Which point of the warpgroup a lane's row r is.
__device__ inline int row_of(int r) {
  return int(threadIdx.x) % kGroupThreads / 32 * 16 + r * 8 + lane_of_thread() / 4;
}

template <int kDepth>
struct Points {
  unsigned halves[kDepth / 16][4];  // first factors of products
  float length[kRows], off[kRows];  // scaled

  // which: the lane's rows; -1: none.
  __device__ void read(const Problem& p, const int (&which)[kRows], float scale) {
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const float* row = p.coordinates + size_t(max(which[r], 0)) * p.dimensions;
      float squares = 0, differences = 0;
#pragma unroll
      for (int eight = 0; eight < kDepth / 8; ++eight) {
        float x[2];
        read_row(p, row, eight * 8 + lane_of_thread() % 4 * 2, scale, x);
        const Rounded<2> rounded(x);
        squares += rounded.squares, differences += rounded.off;
        halves[eight / 2][eight % 2 * 2 + r] = reinterpret_cast<const unsigned&>(rounded.halves);
      }
      for (int lanes = 1; lanes < 4; lanes *= 2) {
        squares += __shfl_xor_sync(~0u, squares, lanes);
        differences += __shfl_xor_sync(~0u, differences, lanes);
      }
      length[r] = 1.001f * sqrtf(squares), off[r] = 1.001f * sqrtf(differences);
    }
  }

  // The score of row r and a centre; by the four lanes of the row.
  __device__ float score(const Centres& centres, int r, int centre) const {
    float sum = 0;
#pragma unroll
    for (int piece = 0; piece < kDepth / 8; ++piece) {
      const unsigned* row = reinterpret_cast<const unsigned*>(&centres.halves[Centres::place(centre, piece)]);
      const unsigned theirs = row[lane_of_thread() % 4];
      const float2 x = __half22float2(reinterpret_cast<const __half2&>(halves[piece / 2][piece % 2 * 2 + r]));
      const float2 c = __half22float2(reinterpret_cast<const __half2&>(theirs));
      sum = fmaf(x.x, c.x, fmaf(x.y, c.y, sum));
    }
    for (int lanes = 1; lanes < 4; lanes *= 2) sum += __shfl_xor_sync(~0u, sum, lanes);
    return sum + centres.start[centre];
  }
};

// Products of a lane's rows by kColumns centres: [r] of column 8 · j + lane % 4 · 2 + i is sums[j][2 · r + i].
using Products = float[kColumns / 8][4];

template <int kDepth>
__device__ inline void begin_products_with(const Points<kDepth>& points, const Centres& centres, int first,
                                           Products& sums) {
  const unsigned long long tile = tile_of(&centres.halves[first * Centres::kPieces]);
  begin_products();
  product_from_registers<0>(__half{}, sums, points.halves[0], tile);
#pragma unroll
  for (int sixteen = 1; sixteen < kDepth / 16; ++sixteen)
    product_from_registers<1>(__half{}, sums, points.halves[sixteen], along(tile, sixteen * kProductBytes));
  end_products();
}

// take(products, first centre) for all centres, kColumns at a time. While a warpgroup takes, the others multiply.
template <int kDepth, class Take>
__device__ inline void multiply(const Problem& p, const Points<kDepth>& points, const Centres& centres, Take take) {
#pragma unroll 1
  for (int first = 0; first < p.clusters; first += kColumns) {
    Products sums;
    begin_products_with(points, centres, first, sums);
    wait_for_sums(sums);
    take(sums, first);
  }
}

// Of a lane's row: the largest score and the second largest of groups of kEights times two centres, each with the
// number of its group in its last bits.
struct Largest {
  float score = -FLT_MAX, second = -FLT_MAX;

  __device__ void meet(float other, float others_second = -FLT_MAX) {
    second = fmaxf(fmaxf(second, others_second), fminf(score, other));
    score = fmaxf(score, other);
  }
  // With the other lanes of the row.
  __device__ void combine_quad() {
    for (int lanes = 1; lanes < 4; lanes *= 2) {
      const float other = __shfl_xor_sync(~0u, score, lanes), others_second = __shfl_xor_sync(~0u, second, lanes);
      meet(other, others_second);
    }
  }
  __device__ int group() const { return int(__float_as_uint(score) % kIds); }
  // The i-th centre of the group, in their order.
  __device__ int centre(int i) const { return group() / 4 * (8 * kEights) + i / 2 * 8 + group() % 4 * 2 + i % 2; }
};

// The products with the lane's centres from `first` on, group by group.
__device__ inline void meet_products(const Products& sums, const Centres& centres, int first,
                                     Largest (&largest)[kRows]) {
  const float* start = &centres.start[first + lane_of_thread() % 4 * 2];
  const unsigned id = unsigned(first) / (8 * kEights) * 4 + unsigned(lane_of_thread()) % 4;
#pragma unroll
  for (int group = 0; group < kColumns / 8; group += kEights) {
    float most[kRows];
#pragma unroll
    for (int eight = group; eight < group + kEights; ++eight) {
      const float2 begin = *reinterpret_cast<const float2*>(&start[eight * 8]);
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        const float score = fmaxf(sums[eight][2 * r] + begin.x, sums[eight][2 * r + 1] + begin.y);
        most[r] = eight == group ? score : fmaxf(most[r], score);
      }
    }
#pragma unroll
    for (int r = 0; r < kRows; ++r)
      largest[r].meet(__uint_as_float((__float_as_uint(most[r]) & ~(kIds - 1)) | (id + group / kEights * 4)));
  }
}
