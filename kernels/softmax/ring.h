// Softmax as an operation on rows that come through a ring (../parts/row_ring.h).
#pragma once

#include "../parts/row_ring.h"
#include "row.h"

template <class T>
struct Softmax {
  using Element = T;
  using Part = SoftmaxPart;
  static constexpr float kPadding = -INFINITY;
  struct Arguments {
    const T* in;
    T* out;
  };

  __device__ Softmax(const Arguments&, Place) {}

  template <class Vectors>
  __device__ __forceinline__ Part part(Vectors& x, Place) {
    return exponentials(x);
  }
  template <class Vectors>
  __device__ __forceinline__ void finish(Vectors& x, Place, Part mine, Part row, int) {
    scale(x, factor(mine, row));
  }
};
