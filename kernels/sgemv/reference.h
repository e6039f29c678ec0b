// One block for each row, in double precision.
#pragma once

#include "../parts/reference_block.h"

namespace reference_parts {

template <class T>
__global__ void multiply(const T* a, const T* x, T* y, int columns) {
  const T* row = a + size_t(blockIdx.x) * columns;
  double sum = 0;
  for (int i = int(threadIdx.x); i < columns; i += kThreads) sum += to_double(row[i]) * to_double(x[i]);
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) y[blockIdx.x] = from_double<T>(sum);
}

}  // namespace reference_parts
