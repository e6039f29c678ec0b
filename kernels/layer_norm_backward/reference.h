// In double precision: a block for each row of dx, a thread for each column of the weights.
#pragma once

#include "../parts/reference_block.h"

namespace reference_parts {

template <class T>
__global__ void gradient_of_rows(const T* dy, const T* x, const T* gamma, const float* mean, const float* rstd, T* dx,
                                 int columns) {
  size_t start = size_t(blockIdx.x) * columns;
  double middle = mean[blockIdx.x], scale = rstd[blockIdx.x], g_all = 0, g_h = 0;
  for (int i = int(threadIdx.x); i < columns; i += kThreads) {
    double g = to_double(dy[start + i]) * to_double(gamma[i]), h = (to_double(x[start + i]) - middle) * scale;
    g_all += g;
    g_h += g * h;
  }
  g_all = sum_of_block(g_all) / columns;
  g_h = sum_of_block(g_h) / columns;
  for (int i = int(threadIdx.x); i < columns; i += kThreads) {
    double g = to_double(dy[start + i]) * to_double(gamma[i]), h = (to_double(x[start + i]) - middle) * scale;
    dx[start + i] = from_double<T>(scale * (g - g_all - h * g_h));
  }
}

template <class T>
__global__ void gradient_of_weights(const T* dy, const T* x, const float* mean, const float* rstd, T* dgamma, T* dbeta,
                                    int rows, int columns) {
  int column = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (column >= columns) return;
  double beta_sum = 0, gamma_sum = 0;
  for (int row = 0; row < rows; ++row) {
    size_t i = size_t(row) * columns + column;
    gamma_sum += to_double(dy[i]) * (to_double(x[i]) - mean[row]) * rstd[row];
    beta_sum += to_double(dy[i]);
  }
  dgamma[column] = from_double<T>(gamma_sum);
  dbeta[column] = from_double<T>(beta_sum);
}

template <class T>
void layer_norm_backward(const T* dy, const T* x, const T* gamma, const float* mean, const float* rstd, T* dx,
                         T* dgamma, T* dbeta, int rows, int columns) {
  gradient_of_rows<<<rows, kThreads>>>(dy, x, gamma, mean, rstd, dx, columns);
  gradient_of_weights<<<(columns + 31) / 32, 32>>>(dy, x, mean, rstd, dgamma, dbeta, rows, columns);
}

}  // namespace reference_parts
