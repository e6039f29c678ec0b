// Softmax of the elements that a thread holds, in two halves with a reduction over the row between them.
//
//     SoftmaxPart mine = exponentials(x);              // x becomes exp(x - the thread's own maximum)
//     SoftmaxPart row = of_block(mine, room);
//     scale(x, factor(mine, row));
//
// The thread subtracts its own maximum, so the exponentials need not wait for the row's. What is left to do once the
// other threads' parts are known is one multiplication.
#pragma once

#include "../parts/vectors.h"
#include "part.h"

template <int kVectors, int kWidth>
__device__ __forceinline__ SoftmaxPart exponentials(float (&x)[kVectors][kWidth]) {
  SoftmaxPart part = SoftmaxPart::nothing();
#pragma unroll
  for (auto& vector : x)
#pragma unroll
    for (float element : vector) part.most = fmaxf(part.most, element);
  float base = base_of(part.most);
#pragma unroll
  for (auto& vector : x)
#pragma unroll
    for (float& element : vector) {
      element = exp_fast(element - base);
      part.sum += element;
    }
  return part;
}

// From exp(x - the thread's maximum) to exp(x - the row's maximum) / the row's sum.
__device__ __forceinline__ float factor(SoftmaxPart mine, SoftmaxPart row) {
  return exp_fast(mine.most - row.most) / row.sum;
}

template <int kVectors, int kWidth>
__device__ __forceinline__ void scale(float (&x)[kVectors][kWidth], float factor) {
#pragma unroll
  for (auto& vector : x)
#pragma unroll
    for (float& element : vector) element *= factor;
}
