// Softmax of rows that come through rings (../parts/row_rings.h): maximum and sum of exponentials are kept up while a
// row comes (part.h), and the exponentials are computed once more when it is written.
#pragma once

#include "../parts/row_rings.h"
#include "part.h"

template <class T, int kVectors>
struct SoftmaxThroughRings {
  using Element = T;
  using State = SoftmaxPart;
  using Part = SoftmaxPart;
  struct Whole {
    float base, factor;
  };
  using Vectors = float[kVectors][kPerVector<T>];
  static constexpr bool kUnrolled = false;
  static constexpr float kPadding = -INFINITY;
  struct Arguments {
    const T* in[1];
    T* out;
  };

  // An SM has half the time for a bfloat16 that it has for a float, so exp(x - base) is one multiply-add and one
  // exponential of base 2 there. What the product rounds away is less than bfloat16 can tell; for floats it is not.
  static constexpr bool kShort = sizeof(T) == 2;
  static __device__ __forceinline__ float scaled(float most) { return kShort ? base_of(most) * kLog2E : base_of(most); }
  static __device__ __forceinline__ float exp_from(float x, float base) {
    return kShort ? exp2_fast(fmaf(x, kLog2E, -base)) : exp_fast(x - base);
  }

  template <class Where>
  __device__ SoftmaxThroughRings(const Arguments&, const Where&) {}
  static __device__ __forceinline__ State nothing() { return SoftmaxPart::nothing(); }

  __device__ __forceinline__ void add(State& state, const Vectors& x, int, int) const {
    float most = state.most;
#pragma unroll
    for (const auto& vector : x)
#pragma unroll
      for (float element : vector) most = fmaxf(most, element);
    const float base = scaled(most);
    float sums[2] = {};  // two chains
#pragma unroll
    for (const auto& vector : x)
#pragma unroll
      for (int i = 0; i < kPerVector<T>; ++i) sums[i % 2] += exp_from(vector[i], base);
    state = {most, state.sum * exp_from(state.most, base) + (sums[0] + sums[1])};
  }
  __device__ __forceinline__ Part part(State mine) const { return of_warp(mine); }

  template <int kParts>
  __device__ __forceinline__ Whole whole(const Part* parts, int) const {
    Part row = Part::nothing();
#pragma unroll
    for (int i = 0; i < kParts; i += 32)
      if (i + int(threadIdx.x) % 32 < kParts) row = combine(row, parts[i + int(threadIdx.x) % 32]);
    row = of_warp(row);
    if (kShort) return {row.most * kLog2E + __log2f(row.sum), 1};  // exp(x - most) / sum as one exponential
    return {row.most, 1 / row.sum};
  }
  __device__ __forceinline__ void finish(Vectors& x, const Whole& row, int) const {
#pragma unroll
    for (auto& vector : x)
#pragma unroll
      for (float& element : vector)
        element = kShort ? exp_from(element, row.base) : exp_from(element, row.base) * row.factor;
  }
};

template <class T, int kBlocks, int kWarps, int kVectors, int kPieces, int kSlots, int kLate>
void softmax_through_rings(const T* in, T* out, int rows, int columns) {
  run_through_rings<SoftmaxThroughRings<T, kVectors>, kBlocks, kWarps, kVectors, kPieces, kSlots, kLate>({{in}, out},
                                                                                                         rows, columns);
}
