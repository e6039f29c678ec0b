// Batch norm as the fused steps have it: a channel's statistics become one factor and one offset.
#pragma once

#include "tiles.cuh"

namespace mnist {

// Batch norm of a channel: y = factor · x + offset, x̂ = (x − mean) · inverse.
struct Norm {
  float *mean, *inverse, *factor, *offset;
};

// A sink of tiles::conv_kernel that passes results on, with Σ x and Σ x² of each channel on the way.
template <class To>
struct WithSums {
  static constexpr int kGroup = tiles::kGroup;
  To to;
  float* partial;  // [blocks along the batch][sum, sum of squares][channels]
  float sum[kGroup] = {}, squares[kGroup] = {};
  WithSums(To t, float* p) : to(t), partial(p) {}
  __device__ void operator()(int n, int first, int pixel, const float* values) {
    to(n, first, pixel, values);
#pragma unroll
    for (int k = 0; k < kGroup; ++k) {
      sum[k] += values[k];
      squares[k] += values[k] * values[k];
    }
  }
  __device__ void finish(int first, float* scratch) {
#pragma unroll
    for (int k = 0; k < kGroup; ++k) {
      float a = tiles::block_sum(sum[k], scratch), b = tiles::block_sum(squares[k], scratch);
      if (threadIdx.x == 0) {
        partial[(blockIdx.x * 2 + 0) * to.channels + first + k] = a;
        partial[(blockIdx.x * 2 + 1) * to.channels + first + k] = b;
      }
    }
  }
};

// One thread for each channel. The difference of two large sums wants double precision.
static __global__ void finish_norm_kernel(const float* partial, int parts, double count, const float* scale, const float* shift, Norm norm) {
  int c = int(threadIdx.x), channels = int(blockDim.x);
  double sum = 0, squares = 0;
  for (int p = 0; p < parts; ++p) {
    sum += partial[(p * 2 + 0) * channels + c];
    squares += partial[(p * 2 + 1) * channels + c];
  }
  double mean = sum / count, inverse = 1 / sqrt(squares / count - mean * mean + kEpsilon);
  norm.mean[c] = float(mean);
  norm.inverse[c] = float(inverse);
  norm.factor[c] = float(scale[c] * inverse);
  norm.offset[c] = float(shift[c] - scale[c] * inverse * mean);
}

}  // namespace mnist
