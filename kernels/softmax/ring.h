// Softmax as an operation on rows that come through a ring (../parts/row_ring.h).
#pragma once

#include "../parts/row_ring.h"
#include "row.h"

template <class T>
struct Softmax {
  using Element = T;
  using Part = SoftmaxPart;
  static constexpr float kPadding = -INFINITY;
  static constexpr int kInputs = 1;
  struct Arguments {
    const T* in[1];
    T* out;
  };

  __device__ Softmax(const Arguments&, const Place&) {}

  template <class Vectors>
  __device__ __forceinline__ Part part(Vectors& x, const Place&, int) {
    return exponentials(x[0]);
  }
  template <class Vectors>
  __device__ __forceinline__ void finish(Vectors& x, const Place&, Part mine, Part row) {
    scale(x[0], factor(mine, row));
  }
  __device__ void end(const Arguments&, const Place&) {}
};
