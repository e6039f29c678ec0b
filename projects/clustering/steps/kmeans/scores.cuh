// Scores of a warpgroup's points with all centres, by the tensor core alone, and each lane's best share.
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
  // The share's number makes a score larger or smaller: the best is taken for the least that it may be, the second for
  // the most. If all scores are negative both are zero, and nothing is certain.
  __device__ unsigned short found(float doubt) const {
    const float least = __int_as_float(score & ~(kShares - 1)), most = __int_as_float(second | (kShares - 1));
    return least - most > doubt ? static_cast<unsigned short>(score % kShares) : near_with(least - doubt);
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
