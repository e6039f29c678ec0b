// One block for each row, one after the other: the maximum, the sum of exponentials, the quotients.
#pragma once

#include "../parts/reference_block.h"

namespace reference_parts {

template <class T>
__global__ void softmax(const T* in, T* out, int columns) {
  const T* x = in + size_t(blockIdx.x) * columns;
  T* y = out + size_t(blockIdx.x) * columns;
  double most = -INFINITY, sum = 0;
  for (int i = int(threadIdx.x); i < columns; i += kThreads) most = fmax(most, to_double(x[i]));
  most = largest_of_block(most);
  for (int i = int(threadIdx.x); i < columns; i += kThreads) sum += exp(to_double(x[i]) - most);
  sum = sum_of_block(sum);
  for (int i = int(threadIdx.x); i < columns; i += kThreads) y[i] = from_double<T>(exp(to_double(x[i]) - most) / sum);
}

}  // namespace reference_parts
