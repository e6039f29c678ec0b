// One block for each row: the mean of squares, in double precision.
#pragma once

#include "../parts/reference_block.h"

namespace reference_parts {

template <class T>
__global__ void rms_norm(const T* in, const T* gamma, T* out, int columns, float epsilon) {
  const T* x = in + size_t(blockIdx.x) * columns;
  T* y = out + size_t(blockIdx.x) * columns;
  double squares = 0;
  for (int i = int(threadIdx.x); i < columns; i += kThreads) squares += to_double(x[i]) * to_double(x[i]);
  squares = sum_of_block(squares) / columns;
  double scale = 1 / sqrt(squares + epsilon);
  for (int i = int(threadIdx.x); i < columns; i += kThreads)
    y[i] = from_double<T>(to_double(x[i]) * scale * to_double(gamma[i]));
}

}  // namespace reference_parts
