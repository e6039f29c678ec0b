// Matrices of floats as sums of two halves, so that tensor cores can multiply them with the accuracy of fp32.
//
//     x · 2^s = high + low + rest       high = the nearest half, low = the half that is nearest to what is left
//
// A half has 11 bits, so the two have 22 and a sign: |rest| <= 2^-23 |x · 2^s|. But halves have a small range. The
// scale 2^s is one for each row of a and for each column of b, and brings the largest element to between 2^14 and 2^15.
// Scales of powers of two round nothing, and what they do to a row of a is undone in that row of the result. `low` is
// whole for elements down to 2^-16 of the largest; below that |rest| <= 2^-39 of the largest.
//
//     a · b ≈ high · high' + high · low' + low · high'      low · low' is at most 2^-22 of the product, and left out
//
// So a product of two elements is off by 2^-21 of itself at most. Three products of halves are half the work of six
// of bfloat16, whose 8 bits want three parts; tf32 has the bits of a half, but is half as fast, and wgmma wants its b
// by columns. Ootomo and Yokota, "Recovering single precision accuracy from Tensor Cores", arXiv 2203.03341, compare
// halves with tf32. Henry, Tang and Heinecke, arXiv 1904.06376, do bfloat16.
//
// An infinity makes its row or column of the result a NaN: there is no half that is left of it.
#pragma once

#include <cuda_fp16.h>

#include "../parts/kept_memory.h"
#include "../parts/tensor_map.h"

constexpr int kSplitThreads = 256, kVector = 4, kSplitWarps = kSplitThreads / 32;

// The power of two that brings `largest`, the bits of the largest |x|, to between 2^14 and 2^15. It is kept where
// powers of two are normal numbers: rows that are all below 2^-112 are not brought up that far. None for a row of
// zeros, and for one with an infinity or a NaN.
__device__ __forceinline__ int shift_of(unsigned largest) {
  int exponent = int(largest >> 23) - 127;
  return largest == 0 || exponent == 128 ? 0 : min(14 - exponent, 126);
}
__device__ __forceinline__ float power_of_two(int exponent) { return __int_as_float((exponent + 127) << 23); }
__device__ __forceinline__ unsigned magnitude(float x) { return __float_as_uint(x) & 0x7fffffff; }
__device__ __forceinline__ unsigned largest_of(float4 x) {
  return max(max(magnitude(x.x), magnitude(x.y)), max(magnitude(x.z), magnitude(x.w)));
}

// Two planes, one of the high halves and one of the low ones. Rows begin at multiples of 16 bytes.
struct Halves {
  __half* planes;
  int rows, columns, pitch;
  unsigned* largest;  // bits, for each row of a, for each column of b

  __host__ __device__ size_t plane() const { return size_t(rows) * pitch; }
  __device__ void store(int row, int column, float4 x, float4 scale) const {
    const float2 left{x.x * scale.x, x.y * scale.y}, right{x.z * scale.z, x.w * scale.w};
    const __half2 high[2] = {__float22half2_rn(left), __float22half2_rn(right)};
    const float2 l = __half22float2(high[0]), r = __half22float2(high[1]);
    const __half2 low[2] = {__floats2half2_rn(left.x - l.x, left.y - l.y),
                            __floats2half2_rn(right.x - r.x, right.y - r.y)};
    __half* to = &planes[size_t(row) * pitch + column];
    *reinterpret_cast<uint2*>(to) = reinterpret_cast<const uint2&>(high);
    *reinterpret_cast<uint2*>(to + plane()) = reinterpret_cast<const uint2&>(low);
  }
  // Rectangles of both planes: `box_rows` rows of 64 halves, the high ones first.
  CUtensorMap map(int box_rows) const {
    const cuuint64_t sizes[3] = {cuuint64_t(columns), cuuint64_t(rows), 2},
                     pitches[2] = {pitch * sizeof *planes, plane() * sizeof *planes};
    return encode_map<3>(planes, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, sizes, pitches, {64, cuuint32_t(box_rows), 2},
                         CU_TENSOR_MAP_SWIZZLE_128B);
  }
};

// A block for each row of a. The row comes from memory once: the second time it is in a cache. The first blocks also
// begin the columns of b.
__global__ void __launch_bounds__(kSplitThreads)
    split_rows(const float* a, Halves to, unsigned* largest_of_columns, int n) {
  __shared__ unsigned largest_of_warp[kSplitWarps];
  const int row = int(blockIdx.x), thread = int(threadIdx.x);
  const float4* from = reinterpret_cast<const float4*>(a + size_t(row) * to.columns);
  for (int i = row * kSplitThreads + thread; i < n; i += int(gridDim.x) * kSplitThreads) largest_of_columns[i] = 0;
  unsigned largest = 0;
  for (int i = thread; i < to.columns / kVector; i += kSplitThreads) largest = max(largest, largest_of(from[i]));
  largest = __reduce_max_sync(~0u, largest);
  if (thread % 32 == 0) largest_of_warp[thread / 32] = largest;
  __syncthreads();
  for (unsigned other : largest_of_warp) largest = max(largest, other);
  if (thread == 0) to.largest[row] = largest;
  const float scale = power_of_two(shift_of(largest));
  for (int i = thread; i < to.columns / kVector; i += kSplitThreads)
    to.store(row, i * kVector, from[i], {scale, scale, scale, scale});
}

// Of b, a warp has 128 columns and a block so many rows of them.
constexpr int kSplitRows = 256, kSplitColumns = 32 * kVector;

__global__ void __launch_bounds__(kSplitThreads) find_largest_of_columns(const float* b, Halves to) {
  __shared__ uint4 largest_of_warp[kSplitWarps][32];
  const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  const int column = int(blockIdx.x) * kSplitColumns + lane * kVector, first = int(blockIdx.y) * kSplitRows;
  uint4 largest{};
  if (column < to.columns)
    for (int row = first + warp; row < min(to.rows, first + kSplitRows); row += kSplitWarps) {
      const float4 x = *reinterpret_cast<const float4*>(&b[size_t(row) * to.columns + column]);
      largest.x = max(largest.x, magnitude(x.x)), largest.y = max(largest.y, magnitude(x.y));
      largest.z = max(largest.z, magnitude(x.z)), largest.w = max(largest.w, magnitude(x.w));
    }
  largest_of_warp[warp][lane] = largest;
  __syncthreads();
  if (threadIdx.x >= kSplitColumns) return;
  const int own = int(blockIdx.x) * kSplitColumns + int(threadIdx.x);
  unsigned all = 0;
  for (auto& of_warp : largest_of_warp) all = max(all, reinterpret_cast<const unsigned*>(of_warp)[threadIdx.x]);
  if (own < to.columns) atomicMax(&to.largest[own], all);
}

__global__ void __launch_bounds__(kSplitThreads) split_columns(const float* b, Halves to) {
  const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  const int column = int(blockIdx.x) * kSplitColumns + lane * kVector, first = int(blockIdx.y) * kSplitRows;
  if (column >= to.columns) return;
  const uint4 largest = *reinterpret_cast<const uint4*>(&to.largest[column]);
  const float4 scale{power_of_two(shift_of(largest.x)), power_of_two(shift_of(largest.y)),
                     power_of_two(shift_of(largest.z)), power_of_two(shift_of(largest.w))};
#pragma unroll 4
  for (int row = first + warp; row < min(to.rows, first + kSplitRows); row += kSplitWarps)
    to.store(row, column, *reinterpret_cast<const float4*>(&b[size_t(row) * to.columns + column]), scale);
}

// Both matrices, in memory that stays from one call to the next.
struct SplitMatrices {
  Halves a, b;

  static SplitMatrices of(const float* from_a, const float* from_b, int m, int n, int k) {
    static KeptMemory memory;
    constexpr size_t kAlign = 256;
    auto rounded = [](size_t size, size_t to) { return (size + to - 1) / to * to; };
    SplitMatrices out{{nullptr, m, k, int(rounded(k, 8)), nullptr}, {nullptr, k, n, int(rounded(n, 8)), nullptr}};
    const size_t halves_of_a = rounded(2 * out.a.plane() * sizeof(__half), kAlign),
                 halves_of_b = rounded(2 * out.b.plane() * sizeof(__half), kAlign),
                 rows = rounded(m * sizeof(unsigned), kAlign), columns = rounded(n * sizeof(unsigned), kAlign);
    char* room = static_cast<char*>(memory.of(halves_of_a + halves_of_b + rows + columns));
    out.a.planes = reinterpret_cast<__half*>(room);
    out.b.planes = reinterpret_cast<__half*>(room + halves_of_a);
    out.a.largest = reinterpret_cast<unsigned*>(room + halves_of_a + halves_of_b);
    out.b.largest = reinterpret_cast<unsigned*>(room + halves_of_a + halves_of_b + rows);
    split_rows<<<m, kSplitThreads>>>(from_a, out.a, out.b.largest, n);
    const dim3 parts((n + kSplitColumns - 1) / kSplitColumns, (k + kSplitRows - 1) / kSplitRows);
    find_largest_of_columns<<<parts, kSplitThreads>>>(from_b, out.b);
    split_columns<<<parts, kSplitThreads>>>(from_b, out.b);
    return out;
  }
};
