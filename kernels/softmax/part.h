// What the steps of softmax share: a maximum together with a sum of exponentials that belongs to it.
//
// Two passes over a row find the maximum first and then the sum of exp(x - maximum). One pass does it, too: whenever
// parts meet, their sums are scaled to the larger maximum (Milakov and Gimelshein, arXiv 1805.02867).
//
//     SoftmaxPart part = SoftmaxPart::nothing();
//     part = of_warp(part);                   // the same in all lanes
//     part = of_block(part, room);            // ... in all threads (../parts/block_combine.h)
#pragma once

#include "../parts/block_combine.h"

struct SoftmaxPart {
  float most, sum;
  static __device__ SoftmaxPart nothing() { return {-INFINITY, 0}; }
};

constexpr float kLog2E = 1.4426950408889634f;

__device__ __forceinline__ float exp2_fast(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

// e to the power of x: one multiplication and one instruction of the special function unit, error below 2^-21.
__device__ __forceinline__ float exp_fast(float x) { return exp2_fast(x * kLog2E); }

// What to subtract before exp. Where all numbers are -inf, their exponentials shall be 0 and not NaN.
__device__ __forceinline__ float base_of(float most) { return most == -INFINITY ? 0.0f : most; }

__device__ __forceinline__ SoftmaxPart combine(SoftmaxPart a, SoftmaxPart b) {
  const float most = fmaxf(a.most, b.most), base = base_of(most);
  return {most, a.sum * exp_fast(a.most - base) + b.sum * exp_fast(b.most - base)};
}

__device__ __forceinline__ SoftmaxPart of_warp(SoftmaxPart mine) {
  float most = largest_of_warp(mine.most);
  return {most, sum_of_warp(mine.sum * exp_fast(mine.most - base_of(most)))};
}
