// Batch norm in the fused steps: the statistics of a channel become one factor and one offset.
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

// The norm of four arrays of so many channels, one after the other.
inline Norm norm_in(float* values, int channels) { return {values, values + channels, values + 2 * channels, values + 3 * channels}; }

// From the parts of Σ x and Σ x², [part][2][channels]. A warp for each channel; the difference of two large sums needs
// double precision.
static __global__ void finish_norm_kernel(const float* partial, int parts, double count, const float* scale, const float* shift, Norm norm) {
  int c = int(blockIdx.x), channels = int(gridDim.x), lane = int(threadIdx.x);
  double sum = 0, squares = 0;
  for (int p = lane; p < parts; p += 32) {
    sum += partial[(p * 2 + 0) * channels + c];
    squares += partial[(p * 2 + 1) * channels + c];
  }
  for (int step = 16; step > 0; step /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, step);
    squares += __shfl_down_sync(0xffffffffu, squares, step);
  }
  if (lane != 0) return;
  double mean = sum / count, inverse = 1 / sqrt(squares / count - mean * mean + kEpsilon);
  norm.mean[c] = float(mean);
  norm.inverse[c] = float(inverse);
  norm.factor[c] = float(scale[c] * inverse);
  norm.offset[c] = float(shift[c] - scale[c] * inverse * mean);
}

inline void finish_norm(cudaStream_t stream, int channels, const float* partial, int parts, double count, const float* scale, const float* shift, Norm norm) {
  finish_norm_kernel<<<unsigned(channels), 32, 0, stream>>>(partial, parts, count, scale, shift, norm);
  MNIST_CHECK(cudaGetLastError());
}

}  // namespace mnist
