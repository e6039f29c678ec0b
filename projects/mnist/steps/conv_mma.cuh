// Convolutions as matrix products on tensor cores, without ever building the matrix: im2col happens in addresses.
//
// Pictures lie channels innermost. A block keeps the weights in shared memory and goes over images; an image's pixels,
// with a border of zeros, are there, too, as 16 × 16 rows of channels. A row of the matrix A is a pixel, and its k runs
// over taps and channels: for a tap, the row of pixel (y, x) is simply the row of pixel (y + ky, x + kx). So ldmatrix,
// which takes an address for each row, reads the patches out of the picture itself.
//
//     an m16 piece = 8 pixels of one row and the 8 below them:   rows 0–7   (2v,     8h … 8h + 7)
//                                                                rows 8–15  (2v + 1, 8h … 8h + 7)
//
// so both rows of a pooling window are in one lane and its columns in neighbours (lane ^ 4). 14 pieces make a picture; each of
// the 7 warps has a v, that is two rows, both halves. The last two columns of the right half are beyond the picture.
#pragma once

#include "device.h"
#include "mma.cuh"

namespace mnist::conv {

constexpr int kGridSide = 16, kGridPixels = kGridSide * kGridSide;  // a picture with its border
constexpr int kWarps = 7, kThreads = 32 * kWarps;

// Pitch of a pixel's channels in shared memory: 16 bytes more than the channels keep 8 neighbouring rows in different banks.
template <class P, int Channels>
constexpr int kPitch = Channels + 16 / int(sizeof(typename P::Value));

template <class P, int In, int Out>
constexpr size_t product_bytes() {
  return sizeof(typename P::Value) * (size_t(kGridPixels) * kPitch<P, In> + size_t(Out) * kPitch<P, In * kTaps>);
}

// Weights [Out][9][In] into rows of shared memory. Both are multiples of 16 bytes.
template <class P, int In, int Out, int Threads>
__device__ void load_weights(typename P::Value* rows, const typename P::Value* weights) {
  constexpr int kEach = 16 / int(sizeof(typename P::Value)), kPieces = In * kTaps / kEach;
  for (int i = int(threadIdx.x); i < Out * kPieces; i += Threads)
    mma::copy_async(rows + i / kPieces * kPitch<P, In * kTaps> + i % kPieces * kEach, weights + i / kPieces * In * kTaps + i % kPieces * kEach, true);
}

// A picture [196][Channels] into the middle of the grid; the border must be zero already and stays so.
template <class P, int Channels, int Threads>
__device__ void load_picture(typename P::Value* grid, int pitch, const typename P::Value* picture) {
  constexpr int kEach = 16 / int(sizeof(typename P::Value)), kPieces = Channels / kEach;
  for (int i = int(threadIdx.x); i < kPixels2 * kPieces; i += Threads) {
    int pixel = i / kPieces, row = pixel / kSide2 + 1, column = pixel % kSide2 + 1;
    mma::copy_async(grid + (row * kGridSide + column) * pitch + i % kPieces * kEach, picture + pixel * Channels + i % kPieces * kEach, true);
  }
}

template <int Threads, class Value>
__device__ void clear(Value* values, int count) {
  for (int i = int(threadIdx.x) * 16 / int(sizeof(Value)); i < count; i += Threads * 16 / int(sizeof(Value))) *reinterpret_cast<uint4*>(values + i) = uint4{0, 0, 0, 0};
}

// The accumulators of a warp: 2 halves × Out / 8 pieces of 8 channels. Of a piece, a lane has channels 2t, 2t + 1 (t = lane % 4) of
// the pixel in column g = lane / 4 of its half, in the upper row ([0], [1]) and in the lower ([2], [3]).
template <int Out>
using Sums = float[2][Out / 8][4];

// One picture's products for the rows of this warp: sums = patches · weights.
template <class P, int In, int Out>
__device__ void multiply_picture(Sums<Out>& sums, const typename P::Value* grid, const typename P::Value* weights) {
  int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  constexpr int kHalf = 16 / int(sizeof(typename P::Value)), kPieces = In / P::kDepth;
  int row = mma::a_row(lane);
  const auto* a0 = grid + ((2 * warp + row / 8) * kGridSide + row % 8) * kPitch<P, In> + mma::a_half(lane) * kHalf;
  const auto* b0 = weights + mma::b_row(lane) * kPitch<P, In * kTaps> + mma::b_half(lane) * kHalf;
#pragma unroll
  for (int half = 0; half < 2; ++half)
#pragma unroll
    for (int n = 0; n < Out / 8; ++n)
#pragma unroll
      for (int i = 0; i < 4; ++i) sums[half][n][i] = 0;
#pragma unroll 3
  for (int tap = 0; tap < kTaps; ++tap) {
    const auto* a1 = a0 + (tap / 3 * kGridSide + tap % 3) * kPitch<P, In>;
#pragma unroll
    for (int piece = 0; piece < kPieces; ++piece) {
      typename P::A a[2];
      P::a_rows(a[0], a1 + piece * P::kDepth);
      P::a_rows(a[1], a1 + 8 * kPitch<P, In> + piece * P::kDepth);
#pragma unroll
      for (int n = 0; n < Out / 8; n += 2) {
        typename P::B b[2];
        P::b_rows(b, b0 + n * 8 * kPitch<P, In * kTaps> + tap * In + piece * P::kDepth);
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          P::multiply(sums[half][n], a[half], b[0]);
          P::multiply(sums[half][n + 1], a[half], b[1]);
        }
      }
    }
  }
}

// The convolution kernel: load(image, grid) brings a picture (and may leave copies under way), use(image, sums) takes the results,
// finish() comes after the last image. Two blocks should share a multiprocessor, so that one multiplies while the other
// loads. The 2 in the launch bounds asks the compiler for this (146 registers at most).
template <class P, int In, int Out, class Work>
__global__ void __launch_bounds__(kThreads, 2) product_kernel(Work work, int images, const typename P::Value* weights) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto* grid = reinterpret_cast<typename P::Value*>(memory);
  auto* rows = grid + kGridPixels * kPitch<P, In>;
  load_weights<P, In, Out, kThreads>(rows, weights);
  clear<kThreads>(grid, kGridPixels * kPitch<P, In>);
  Sums<Out> sums;
  for (int n = int(blockIdx.x); n < images; n += int(gridDim.x)) {
    __syncthreads();
    work.load(n, grid);
    mma::commit_copies();
    mma::wait_copies<0>();
    __syncthreads();
    multiply_picture<P, In, Out>(sums, grid, rows);
    work.use(n, sums);
  }
  __syncthreads();
  work.finish(reinterpret_cast<float*>(memory));
}

// The gradient of conv2's weights: for each tap, the product of the pictures' channels (m: 32) and the gradients' (n: 64) over all
// pixels (k). A row of 16 pixels of the grid is one k piece of bf16, or two of floats; the two columns past the picture
// multiply gradients that are zero. Warp w has the taps of row ky = w / 2 and 32 of the output channels; sums stay in
// registers over all images of a block, and go to partial[block][64][9][32].
constexpr int kWeightWarps = 6, kWeightThreads = 32 * kWeightWarps;
constexpr int kGradientPixels = kSide2 * kGridSide;
template <class P, int Channels>
constexpr int kColumnPitch = Channels + P::kColumnPad;
template <class P>
constexpr size_t weight_bytes() {  // the grid is read up to two pixels past its end, times zero
  return sizeof(typename P::Value) * (size_t(kGridPixels + 2) * kColumnPitch<P, kChannels1> + size_t(kGradientPixels) * kColumnPitch<P, kChannels2>);
}

// work.load_picture(image, grid, pitch), work.load_gradient(image, rows, pitch): the latter fills pixel (y, x) at row 16y + x.
template <class P, class Work>
__global__ void __launch_bounds__(kWeightThreads, 2) weight_kernel(Work work, int images, float* partial) {
  using Value = typename P::Value;
  constexpr int kInPitch = kColumnPitch<P, kChannels1>, kOutPitch = kColumnPitch<P, kChannels2>, kSteps = kGridSide / P::kDepth;
  extern __shared__ __align__(16) unsigned char memory[];
  auto* grid = reinterpret_cast<Value*>(memory);
  auto* gradients = grid + (kGridPixels + 2) * kInPitch;
  int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32, ky = warp / 2, side = warp % 2;
  clear<kWeightThreads>(grid, (kGridPixels + 2) * kInPitch + kGradientPixels * kOutPitch);
  float sums[6][4][4] = {};  // (3 kx × 2 halves of the input channels) × 4 pieces of 8 output channels
  for (int n = int(blockIdx.x); n < images; n += int(gridDim.x)) {
    __syncthreads();
    work.load_picture(n, grid, kInPitch);
    work.load_gradient(n, gradients, kOutPitch);
    mma::commit_copies();
    mma::wait_copies<0>();
    __syncthreads();
#pragma unroll 2
    for (int step = 0; step < kSide2 * kSteps; ++step) {
      int y = step / kSteps, x = step % kSteps * P::kDepth;
      typename P::B b[4];
      const Value* from = gradients + (y * kGridSide + x) * kOutPitch + side * 32;
      P::b_columns(b, from, kOutPitch, lane);
      P::b_columns(b + 2, from + 16, kOutPitch, lane);
#pragma unroll
      for (int m = 0; m < 6; ++m) {
        typename P::A a;
        P::a_columns(a, grid + ((y + ky) * kGridSide + x + m / 2) * kInPitch + m % 2 * 16, kInPitch, lane);
#pragma unroll
        for (int p = 0; p < 4; ++p) P::multiply(sums[m][p], a, b[p]);
      }
    }
  }
  float* to = partial + size_t(blockIdx.x) * kChannels2 * kTaps * kChannels1;
#pragma unroll
  for (int m = 0; m < 6; ++m)
#pragma unroll
    for (int p = 0; p < 4; ++p)
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        int out = side * 32 + p * 8 + lane % 4 * 2 + i % 2, in = m % 2 * 16 + lane / 4 + i / 2 * 8;
        to[(out * kTaps + ky * 3 + m / 2) * kChannels1 + in] = sums[m][p][i];
      }
}

// A kernel must ask for more than 48 KiB of shared memory. Blocks: as many as the device runs at once.
template <class Kernel>
int resident_blocks(Kernel kernel, int threads, size_t bytes) {
  int device, processors, each;
  MNIST_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)));
  MNIST_CHECK(cudaGetDevice(&device));
  MNIST_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  MNIST_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, bytes));
  if (each == 0) fail("a block of this step needs %zu bytes of shared memory, more than the device has", bytes);
  return processors * each;
}

}  // namespace mnist::conv
