// One block for each row: mean and variance in two passes, in double precision.
#pragma once

#include "../parts/reference_block.h"

namespace reference_parts {

template <class T>
__global__ void layer_norm(const T* in, const T* gamma, const T* beta, T* out, int columns, float epsilon) {
  const T* x = in + size_t(blockIdx.x) * columns;
  T* y = out + size_t(blockIdx.x) * columns;
  double mean = 0, variance = 0;
  for (int i = int(threadIdx.x); i < columns; i += kThreads) mean += to_double(x[i]);
  mean = sum_of_block(mean) / columns;
  for (int i = int(threadIdx.x); i < columns; i += kThreads) {
    double distance = to_double(x[i]) - mean;
    variance += distance * distance;
  }
  variance = sum_of_block(variance) / columns;
  double scale = 1 / sqrt(variance + epsilon);
  for (int i = int(threadIdx.x); i < columns; i += kThreads)
    y[i] = from_double<T>((to_double(x[i]) - mean) * scale * to_double(gamma[i]) + to_double(beta[i]));
}

}  // namespace reference_parts
