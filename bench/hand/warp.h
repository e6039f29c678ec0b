// Warps written by hand: what a compiler that turns CUDA into vector code could hope for.
//
// Each function runs blocks [first, last) of a launch, block after block and warp after warp, as a compiler
// would that knows no more than the kernel: 32 lanes are two AVX-512 registers, divergent lanes are mask
// registers, code between barriers is a loop over the block's warps, shared memory is memory. Nothing is
// computed in another order than the kernel says, and no work of two warps or two blocks is merged
// (register blocking of a matrix product, say, would change what is measured).
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "peers/launch.h"

namespace warpwise::bench {

constexpr int kHalf = 16;  // lanes of a register
constexpr int kWarp = 32;

struct Floats {
  __m512 low, high;
};

inline Floats load(const float* p) { return {_mm512_loadu_ps(p), _mm512_loadu_ps(p + kHalf)}; }
inline void store(float* p, Floats v) {
  _mm512_storeu_ps(p, v.low);
  _mm512_storeu_ps(p + kHalf, v.high);
}
inline Floats all(float x) { return {_mm512_set1_ps(x), _mm512_set1_ps(x)}; }
inline Floats operator+(Floats a, Floats b) { return {_mm512_add_ps(a.low, b.low), _mm512_add_ps(a.high, b.high)}; }
inline Floats operator-(Floats a, Floats b) { return {_mm512_sub_ps(a.low, b.low), _mm512_sub_ps(a.high, b.high)}; }
inline Floats operator*(Floats a, Floats b) { return {_mm512_mul_ps(a.low, b.low), _mm512_mul_ps(a.high, b.high)}; }
inline Floats fma(Floats a, Floats b, Floats c) {
  return {_mm512_fmadd_ps(a.low, b.low, c.low), _mm512_fmadd_ps(a.high, b.high, c.high)};
}
inline Floats max(Floats a, Floats b) { return {_mm512_max_ps(a.low, b.low), _mm512_max_ps(a.high, b.high)}; }

// The first `count` of 16 lanes.
inline __mmask16 first_lanes(int count) {
  return count >= kHalf ? 0xffff : count <= 0 ? 0 : static_cast<__mmask16>((1u << count) - 1);
}

// for (offset = 128; offset > 0; offset /= 2) { if (t < offset) part[t] = op(part[t], part[t + offset]); barrier; }
// of a block of 256. A step's active threads are the first ones: whole warps, and one warp in part.
template <class Op>
inline void reduce_tree(float* part, Op op) {
  for (int offset = 128; offset > 0; offset /= 2)
    for (int t = 0; t < offset; t += kHalf) {
      __mmask16 active = first_lanes(offset - t);
      __m512 sum = op(_mm512_maskz_loadu_ps(active, part + t), _mm512_maskz_loadu_ps(active, part + t + offset));
      _mm512_mask_storeu_ps(part + t, active, sum);
    }
}

}  // namespace warpwise::bench
