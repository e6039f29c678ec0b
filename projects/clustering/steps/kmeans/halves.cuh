// The product of points by centres in half precision, by a warpgroup (sm_90a), and how far it may be off.
//
// Points and centres are scaled by a power of two, which brings the largest coordinate of a centre near 2^7, and
// rounded to half precision: x = h + r, c = h' + r'. A score is h·h' - |c|²/2. All centres are in shared memory, a row
// of 128 bytes each, as wgmma.h wants them. A warpgroup has 64 points in registers: a lane has two rows, 8 apart, and
// of each four neighbouring coordinates out of sixteen, which are one load. A product wants two neighbours out of the
// first eight and two out of the next, so centres have their coordinates in another order: 0 1 4 5 8 9 12 13, then
// 2 3 6 7 10 11 14 15.
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
#include "matrices.cuh"

constexpr int kWarpgroups = 4, kGroupThreads = 128, kBlockThreads = kWarpgroups * kGroupThreads;
constexpr int kTile = 64;                           // points of a warpgroup
constexpr int kMostCentres = 1024, kColumns = 128;  // of one product
constexpr int kRows = 2;                            // of a lane
constexpr int kOfGroup = 16, kOfLane = 4;           // centres that are compared at once, and a lane's share of them
constexpr unsigned kIds = kMostCentres / kOfLane;   // such shares: a power of two

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
__device__ inline float scale_for(float largest) {
  const int exponent = int(__float_as_uint(largest) >> 23);  // and 127
  return __uint_as_float(unsigned(max(1, min(254, 7 + 2 * 127 - exponent))) << 23);
}
__device__ inline float scale_of_centres() {
  return scale_for(block_max(threadIdx.x < kFinders ? largest_of_block[threadIdx.x] : 0.0f));
}

// Eight coordinates of a centre from `first` on, scaled; zeros behind the last.
__device__ inline void read_eight(const Problem& p, const float* centre, int first, float scale, float (&to)[8]) {
  if (p.dimensions % 8 == 0 && first < p.dimensions) {
    const float4* vectors = reinterpret_cast<const float4*>(centre + first);
    const float4 four = vectors[0], next = vectors[1];
    const float all[8] = {four.x, four.y, four.z, four.w, next.x, next.y, next.z, next.w};
    for (int i = 0; i < 8; ++i) to[i] = all[i] * scale;
  } else {
    for (int i = 0; i < 8; ++i) to[i] = first + i < p.dimensions ? centre[first + i] * scale : 0.0f;
  }
}

__device__ inline int lane_of_thread() { return int(threadIdx.x % 32); }
// Which point of the warpgroup a lane's row r is.
__device__ inline int row_of(int r) {
  return int(threadIdx.x % kGroupThreads / 32) * 16 + r * 8 + lane_of_thread() / 4;
}

// Coordinates in half precision, the sum of their squares, and those of the halves' squares and of the squares of what
// rounding took.
template <int kCount>
struct Rounded {
  alignas(2 * kCount) __half2 halves[kCount / 2];
  float squares = 0, of_halves = 0, off = 0;

  __device__ Rounded(const float (&x)[kCount]) {
#pragma unroll
    for (int pair = 0; pair < kCount / 2; ++pair) {
      const float2 two = {x[2 * pair], x[2 * pair + 1]};
      halves[pair] = __floats2half2_rn(two.x, two.y);
      const float2 back = __half22float2(halves[pair]);
      squares += two.x * two.x + two.y * two.y;
      of_halves += back.x * back.x + back.y * back.y;
      off += (two.x - back.x) * (two.x - back.x) + (two.y - back.y) * (two.y - back.y);
    }
  }
  // The sums, over so many neighbouring lanes.
  __device__ void add_up(int count) {
    for (int lanes = 1; lanes < count; lanes *= 2) {
      squares += __shfl_xor_sync(~0u, squares, lanes);
      of_halves += __shfl_xor_sync(~0u, of_halves, lanes);
      off += __shfl_xor_sync(~0u, off, lanes);
    }
  }
};

// The centres in shared memory. A row's pieces of 16 bytes are swizzled as the copy engine would do it (wgmma.h).
struct Centres {
  uint4 halves[kMostCentres * kTileBytes / sizeof(uint4)];
  float4 start[kMostCentres / 4];  // -|c|²/2, as starts() gives them; of rows without a centre, a score that none has

  static constexpr int kPieces = kTileBytes / sizeof(uint4);
  __device__ static int place(int row, int piece) { return row * kPieces + (piece ^ row % kPieces); }

  // Eight coordinates: two of each four in a piece, two in the next.
  __device__ static void put(uint4* halves, int row, int piece, const __half2 (&pairs)[4]) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      uint2* to = reinterpret_cast<uint2*>(&halves[place(row, piece / 2 * 2 + half)]) + piece % 2;
      *to = {reinterpret_cast<const unsigned&>(pairs[half]), reinterpret_cast<const unsigned&>(pairs[2 + half])};
    }
  }

  // Of two eights of centres, from a multiple of 16 on, the two centres that the lane has of each.
  __device__ float4 starts(int sixteen) const { return start[sixteen / 4 + lane_of_thread() % 4]; }
  __device__ float& start_of(int row) {
    return reinterpret_cast<float*>(&start[row / 16 * 4 + row % 8 / 2])[row % 16 / 8 * 2 + row % 2];
  }
  __device__ float start_of(int row) const { return const_cast<Centres*>(this)->start_of(row); }

  // Rows beyond the last centre fill the last products.
  __device__ static int rows(const Problem& p) { return (p.clusters + kColumns - 1) / kColumns * kColumns; }
};

// How long the longest centre is, and the longest difference between one and its halves; both scaled.
struct Bounds {
  float centre = 0, difference = 0;

  // At least twice the error of a score of a point of this length, whose halves are so far from it.
  __device__ float doubt(float length, float off) const { return doubt_of(length, off, 0x1p-14f); }
  __device__ float doubt_of(float length, float off, float of_sums) const {
    return 2.05f * (off * centre + (length + off) * difference + (length + 0.5f * centre) * centre * of_sums);
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
      if (row < p.clusters) read_eight(p, centres + size_t(row) * p.dimensions, piece * 8, scale, x[ahead]);
    }
#pragma unroll
    for (int ahead = 0; ahead < kAhead; ++ahead) {
      const int row = i / Centres::kPieces + ahead * (kBlockThreads / Centres::kPieces), piece = i % Centres::kPieces;
      Rounded<8> rounded(x[ahead]);
      Centres::put(to.halves, row, piece, rounded.halves);
      rounded.add_up(Centres::kPieces);
      if (piece == 0) to.start_of(row) = row < p.clusters ? -0.5f * rounded.squares : -FLT_MAX / 2;
      most = fmaxf(most, rounded.squares), most_off = fmaxf(most_off, rounded.off);
    }
  }
  // What the threads have written is for the tensor core, too.
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  return {1.001f * sqrtf(block_max(most)), 1.001f * sqrtf(block_max(most_off))};
}

// The i-th centre of a lane's share of a group, in their order.
__device__ inline int centre_of(int share, int i) { return share / 4 * kOfGroup + i / 2 * 8 + share % 4 * 2 + i % 2; }

template <int kDepth>
struct Points {
  unsigned halves[kDepth / 16][4];  // first factors of products
  float length[kRows], off[kRows];  // scaled

  __device__ void read(const Problem& p, const float* const (&rows)[kRows], float scale) {
    if (p.dimensions == kDepth && reinterpret_cast<size_t>(rows[0]) % sizeof(float4) == 0)
      read_coordinates([&](int r, int d) { return *reinterpret_cast<const float4*>(rows[r] + d); }, scale);
    else
      read_coordinates(
          [&](int r, int d) {
            auto at = [&](int i) { return d + i < p.dimensions ? rows[r][d + i] : 0.0f; };
            return float4{at(0), at(1), at(2), at(3)};
          },
          scale);
  }
  template <class Four>
  __device__ void read_coordinates(Four four, float scale) {
    const int lane = lane_of_thread();
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      float squares = 0, differences = 0;
#pragma unroll
      for (int sixteen = 0; sixteen < kDepth / 16; ++sixteen) {
        const float4 x = four(r, sixteen * 16 + lane % 4 * 4);
        const Rounded<4> rounded({x.x * scale, x.y * scale, x.z * scale, x.w * scale});
        squares += rounded.squares, differences += rounded.off;
        halves[sixteen][r] = reinterpret_cast<const unsigned&>(rounded.halves[0]);
        halves[sixteen][2 + r] = reinterpret_cast<const unsigned&>(rounded.halves[1]);
      }
      for (int lanes = 1; lanes < 4; lanes *= 2) {
        squares += __shfl_xor_sync(~0u, squares, lanes);
        differences += __shfl_xor_sync(~0u, differences, lanes);
      }
      length[r] = 1.001f * sqrtf(squares), off[r] = 1.001f * sqrtf(differences);
    }
  }

  // Of each of the lane's rows, the scores of a share of its own (Largest). By the warp: a product of its 16 points by
  // 8 centres at a time, those of two rows' shares.
  __device__ void scores(const Centres& centres, const int (&share)[kRows], float (&to)[kRows][kOfLane]) const {
    const int lane = lane_of_thread(), row = lane / 4;
    float found[kRows][2];  // of lanes 0 and 1 of an even row, and of lanes 2 and 3 of an odd one
#pragma unroll
    for (int pair = 0; pair < 8; ++pair) {
      const int r = pair / 4, from = (pair % 4 * 2 + lane % 8 / 4) * 4;
      const int c = centre_of(__shfl_sync(~0u, share[r], from), lane % 4);
      float sums[4] = {};
#pragma unroll
      for (int two = 0; two < kDepth / 16; two += 2) {
        unsigned theirs[4];
        load_matrices(theirs, &centres.halves[Centres::place(c, two * 2 + lane / 8)]);
        multiply_add_halves(sums, halves[two], &theirs[0]);
        if (two + 1 < kDepth / 16) multiply_add_halves(sums, halves[two + 1], &theirs[2]);
      }
      if (row / 2 == pair % 4) found[r][0] = sums[2 * r], found[r][1] = sums[2 * r + 1];
    }
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const float4 start = centres.start[share[r]];
      const float starts[kOfLane] = {start.x, start.y, start.z, start.w};
#pragma unroll
      for (int i = 0; i < kOfLane; ++i)
        to[r][i] = __shfl_sync(~0u, found[r][i % 2], row * 4 + row % 2 * 2 + i / 2) + starts[i];
    }
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

// Of a lane's row: the largest score and the second largest of its shares of groups, each with the share's
// number in its last bits.
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
  __device__ int share() const { return int(__float_as_uint(score) % kIds); }
};

// The products with the lane's centres from `first` on, group by group.
__device__ inline void meet_products(const Products& sums, const Centres& centres, int first,
                                     Largest (&largest)[kRows]) {
  const unsigned id = unsigned(first) / kOfGroup * 4 + unsigned(lane_of_thread()) % 4;
#pragma unroll
  for (int group = 0; group < kColumns / kOfGroup; ++group) {
    const float4 start = centres.starts(first + group * kOfGroup);
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const float(&upper)[4] = sums[2 * group], (&lower)[4] = sums[2 * group + 1];
      const float most = fmaxf(fmaxf(upper[2 * r] + start.x, upper[2 * r + 1] + start.y),
                               fmaxf(lower[2 * r] + start.z, lower[2 * r + 1] + start.w));
      largest[r].meet(__uint_as_float((__float_as_uint(most) & ~(kIds - 1)) | (id + group * 4)));
    }
  }
}
