// Convolutions and matrix products in single precision with their operands in shared memory: steps 2 and 3.
//
// All follow one pattern. The 32 lanes of a warp lie along a dimension in which one operand is contiguous, so that they read it
// side by side without bank conflicts; the other operand is the same for all lanes, one broadcast; and a thread makes 8 (or 9)
// results, so that each value read serves that many multiply-adds. On a processor with 16 floats in a register, where
// Warpwise runs a warp as vectors, the same pattern gives broadcasts and contiguous vector loads.
//
// Where values come from and where results go is a parameter: a functor, compiled in. Step 3 fuses its neighbours there.
#pragma once

#include "gpu_step.h"

namespace mnist::tiles {

constexpr int kGroup = 8;  // results of a thread

// A picture in shared memory, with the border of zeros that a padded convolution reads. Rows lie a power of two apart:
// 14 columns and 2 of border in 16, 28 and 2 in 32. So with lane l at pixel p0 + l of the *padded* rows, the values of a tap lie
// at p0 + l + a constant: contiguous, even where a warp holds two rows. The last columns of a row are idle lanes.
template <int Side>
struct Plane {
  static constexpr int kStride = Side == kSide2 ? 16 : 32, kRows = Side + 2;
  static constexpr int kThreads = 224;                             // 7 warps: 14 rows of 16, or a quarter of 28 rows of 32
  static constexpr int kPerThread = Side * kStride / kThreads;     // pixels of a thread
  static constexpr int kSize = kRows * kStride + 4;                // idle lanes read a little past the last row
  static_assert(Side * kStride % kThreads == 0, "whole warps");
};

// Brings a picture into a plane: value(pixel) for its pixels, zero around them.
template <int Side, class Value>
__device__ void load_plane(float* plane, Value value) {
  using P = Plane<Side>;
  for (int i = threadIdx.x; i < P::kSize; i += P::kThreads) {
    int y = i / P::kStride - 1, x = i % P::kStride - 1;
    plane[i] = y >= 0 && y < Side && x >= 0 && x < Side ? value(y * Side + x) : 0.0f;
  }
}

// Sums over a block, thread 0 gets them. `scratch`: one float for each warp.
__device__ inline float block_sum(float value, float* scratch) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffu, value, step);
  __syncthreads();
  if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = value;
  __syncthreads();
  float sum = 0;
  if (threadIdx.x == 0)
    for (unsigned w = 0; w < blockDim.x / 32; ++w) sum += scratch[w];
  return sum;
}

// Sources of pictures: a functor (image, channel, pixel) → value.
struct FromFloats {
  const float* values;
  int channels, plane;
  __device__ float operator()(int n, int c, int pixel) const { return values[(size_t(n) * channels + c) * plane + pixel]; }
};
struct FromBytes {
  Batch batch;
  __device__ float operator()(int n, int, int pixel) const { return batch.pixels[size_t(batch.order[n]) * kPixels1 + pixel] * (1.0f / 255.0f); }
};

// A 3×3 convolution. A block makes 8 channels of some images (blockIdx.y: which 8; blockIdx.x: which images), a thread 8
// channels of a pixel. Weights are out × in × 9; In channels are multiplied, at most 32 in shared memory at a time.
//
//     sink(image, first channel, pixel, const float values[8])
//     sink.finish(first channel, scratch)                        when all of the block's images are done
template <int Side, int In, class Source, class Sink>
__global__ void __launch_bounds__(Plane<Side>::kThreads) conv_kernel(Source source, int images, const float* weight, Sink sink) {
  using P = Plane<Side>;
  constexpr int kChunk = In < 32 ? In : 32;
  __shared__ float planes[kChunk * P::kSize];
  __shared__ __align__(16) float weights[kChunk * kTaps * kGroup];
  __shared__ float scratch[P::kThreads / 32];
  int thread = int(threadIdx.x), first = int(blockIdx.y) * kGroup;
  for (int n = int(blockIdx.x); n < images; n += int(gridDim.x)) {
    float sums[P::kPerThread][kGroup] = {};
    for (int chunk = 0; chunk < In; chunk += kChunk) {
      __syncthreads();
      for (int i = thread; i < kChunk * kTaps * kGroup; i += P::kThreads)
        weights[i] = weight[(size_t(first + i % kGroup) * In + chunk) * kTaps + i / kGroup];
      for (int c = 0; c < kChunk; ++c)
        load_plane<Side>(planes + c * P::kSize, [&](int pixel) { return source(n, chunk + c, pixel); });
      __syncthreads();
#pragma unroll
      for (int part = 0; part < P::kPerThread; ++part)
        for (int c = 0; c < kChunk; ++c)
#pragma unroll
          for (int tap = 0; tap < kTaps; ++tap) {
            float value = planes[c * P::kSize + part * P::kThreads + thread + tap / 3 * P::kStride + tap % 3];
#pragma unroll
            for (int k = 0; k < kGroup; ++k) sums[part][k] += value * weights[(c * kTaps + tap) * kGroup + k];
          }
    }
#pragma unroll
    for (int part = 0; part < P::kPerThread; ++part) {
      int at = part * P::kThreads + thread, y = at / P::kStride, x = at % P::kStride;
      if (x < Side) sink(n, first, y * Side + x, sums[part]);
    }
  }
  sink.finish(first, scratch);
}

// The gradient of a convolution's weights, 32 inputs: lanes lie along the input channels, each warp has an output channel (blockIdx.y:
// which 8), and a thread has the 9 taps. A block goes over some images and leaves its part of the sum in
// partial[blockIdx.x][out × 32 × 9].
constexpr int kWeightThreads = 256;
template <int Side, class In, class Gradient>
__global__ void __launch_bounds__(kWeightThreads) conv_weight_kernel(In in, Gradient gradient, int images, int channels, float* partial) {
  using P = Plane<Side>;
  static_assert(Side == kSide2, "the transposed picture fits into shared memory");
  constexpr int kPitch = 33;  // so that storing a picture's row as a column uses no bank twice
  __shared__ float pixels[P::kRows * P::kStride * kPitch];
  __shared__ float gradients[kGroup][Side * Side];
  int thread = int(threadIdx.x), lane = thread % 32, warp = thread / 32, first = int(blockIdx.y) * kGroup;
  for (int i = thread; i < P::kRows * P::kStride * kPitch; i += kWeightThreads) pixels[i] = 0;
  float sums[kTaps] = {};
  for (int n = int(blockIdx.x); n < images; n += int(gridDim.x)) {
    __syncthreads();
    for (int c = warp; c < 32; c += kWeightThreads / 32)
      for (int i = lane; i < Side * Side; i += 32) pixels[((i / Side + 1) * P::kStride + i % Side + 1) * kPitch + c] = in(n, c, i);
    for (int i = lane; i < Side * Side; i += 32) gradients[warp][i] = gradient(n, first + warp, i);
    __syncthreads();
    for (int y = 0; y < Side; ++y)
      for (int x = 0; x < Side; ++x) {
        float g = gradients[warp][y * Side + x];
#pragma unroll
        for (int tap = 0; tap < kTaps; ++tap) sums[tap] += g * pixels[((y + tap / 3) * P::kStride + x + tap % 3) * kPitch + lane];
      }
  }
  float* to = partial + size_t(blockIdx.x) * channels * 32 * kTaps + (size_t(first + warp) * 32 + lane) * kTaps;
#pragma unroll
  for (int tap = 0; tap < kTaps; ++tap) to[tap] = sums[tap];
}

// The same for one input channel: lanes lie along the pixels, a block has an output channel (blockIdx.y) and some images.
template <int Side, class In, class Gradient>
__global__ void __launch_bounds__(Plane<Side>::kThreads) conv_weight_single_kernel(In in, Gradient gradient, int images, int channels, float* partial) {
  using P = Plane<Side>;
  __shared__ float plane[P::kSize];
  __shared__ float scratch[P::kThreads / 32];
  int thread = int(threadIdx.x), channel = int(blockIdx.y);
  float sums[kTaps] = {};
  for (int n = int(blockIdx.x); n < images; n += int(gridDim.x)) {
    __syncthreads();
    load_plane<Side>(plane, [&](int pixel) { return in(n, 0, pixel); });
    __syncthreads();
#pragma unroll
    for (int part = 0; part < P::kPerThread; ++part) {
      int at = part * P::kThreads + thread, x = at % P::kStride;
      float g = x < Side ? gradient(n, channel, at / P::kStride * Side + x) : 0.0f;
#pragma unroll
      for (int tap = 0; tap < kTaps; ++tap) sums[tap] += g * plane[at + tap / 3 * P::kStride + tap % 3];
    }
  }
#pragma unroll
  for (int tap = 0; tap < kTaps; ++tap) {
    float sum = block_sum(sums[tap], scratch);
    if (thread == 0) partial[(size_t(blockIdx.x) * channels + channel) * kTaps + tap] = sum;
  }
}

// C = A · B with A m × k, B k × n. A warp makes 8 rows of 32 columns: lanes lie along the columns.
// A matrix is a pointer and two strides; `a_along_k` and `b_along_k` say which dimension is contiguous, so that
// neighbouring threads read neighbouring numbers.   sink(row, column, value)
struct Matrix {
  const float* values;
  int row, column;  // strides
  __device__ float at(int r, int c) const { return values[size_t(r) * row + size_t(c) * column]; }
};
constexpr int kProductThreads = 256, kRows = 64, kColumns = 32, kDepth = 32;
template <bool ALongK, bool BLongK, class Sink>
__global__ void __launch_bounds__(kProductThreads) product_kernel(Matrix a, Matrix b, int m, int n, int depth, Sink sink) {
  __shared__ __align__(16) float tile_a[kDepth][kRows + 4];
  __shared__ float tile_b[kDepth][kColumns + 1];
  int thread = int(threadIdx.x), lane = thread % 32, warp = thread / 32;
  int row = int(blockIdx.y) * kRows, column = int(blockIdx.x) * kColumns;
  float sums[kGroup] = {};
  for (int k = 0; k < depth; k += kDepth) {
    __syncthreads();
    for (int i = thread; i < kRows * kDepth; i += kProductThreads) {
      int r = ALongK ? i / kDepth : i % kRows, d = ALongK ? i % kDepth : i / kRows;
      tile_a[d][r] = row + r < m && k + d < depth ? a.at(row + r, k + d) : 0.0f;
    }
    for (int i = thread; i < kColumns * kDepth; i += kProductThreads) {
      int c = BLongK ? i / kDepth : i % kColumns, d = BLongK ? i % kDepth : i / kColumns;
      tile_b[d][c] = column + c < n && k + d < depth ? b.at(k + d, column + c) : 0.0f;
    }
    __syncthreads();
#pragma unroll 8
    for (int d = 0; d < kDepth; ++d) {
      float value = tile_b[d][lane];
#pragma unroll
      for (int r = 0; r < kGroup; ++r) sums[r] += tile_a[d][warp * kGroup + r] * value;
    }
  }
#pragma unroll
  for (int r = 0; r < kGroup; ++r)
    if (row + warp * kGroup + r < m && column + lane < n) sink(row + warp * kGroup + r, column + lane, sums[r]);
}

template <bool ALongK, bool BLongK, class Sink>
void product(cudaStream_t stream, Matrix a, Matrix b, int m, int n, int depth, Sink sink) {
  product_kernel<ALongK, BLongK><<<dim3(blocks_for(n, kColumns), blocks_for(m, kRows)), kProductThreads, 0, stream>>>(a, b, m, n, depth, sink);
  MNIST_CHECK(cudaGetLastError());
}

// Sinks.
struct ToFloats {
  float* values;
  const float* bias;  // may be null
  int channels, plane;
  __device__ void operator()(int n, int first, int pixel, const float* sums) const {
#pragma unroll
    for (int k = 0; k < kGroup; ++k) values[(size_t(n) * channels + first + k) * plane + pixel] = sums[k] + (bias ? bias[first + k] : 0.0f);
  }
  __device__ void finish(int, float*) const {}
};
struct ToMatrix {
  float* values;
  const float* bias;  // one for each column, or null
  int columns;
  bool relu;
  __device__ void operator()(int r, int c, float value) const {
    if (bias) value += bias[c];
    values[size_t(r) * columns + c] = relu && value < 0 ? 0.0f : value;
  }
};

// Adds the parts of a sum: result[i] = Σ over parts of partial[part][i].
static __global__ void add_parts_kernel(const float* partial, int parts, int count, float* result) {
  int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  float sum = 0;
  for (int p = 0; p < parts; ++p) sum += partial[size_t(p) * count + i];
  result[i] = sum;
}

// Weights as the backward convolution needs them: inputs and outputs exchanged, each 3×3 turned by 180 degrees.
static __global__ void turn_weights_kernel(const float* weight, int out, int in, float* turned) {
  int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= out * in * kTaps) return;
  int tap = i % kTaps, c = i / kTaps % in, o = i / kTaps / in;
  turned[(c * out + o) * kTaps + kTaps - 1 - tap] = weight[i];
}

}  // namespace mnist::tiles
