// What conv::product_kernel does with its images in steps 4 and 5: pieces that both use.
#pragma once

#include "conv_mma.cuh"

namespace mnist {

// Σ x and Σ x² of 64 channels over all accumulators that a block has seen; partial[block][2][64].
struct FragmentSums {
  float sum[kChannels2 / 8][2] = {}, squares[kChannels2 / 8][2] = {};

  __device__ void add(int piece, float left, float right) {
    sum[piece][0] += left;
    sum[piece][1] += right;
    squares[piece][0] += left * left;
    squares[piece][1] += right * right;
  }
  // The 8 lanes that share a column of the fragments, then the 7 warps.
  __device__ void finish(float* scratch, float* partial) const {
    int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
#pragma unroll
    for (int p = 0; p < kChannels2 / 8; ++p)
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        float a = sum[p][i], b = squares[p][i];
#pragma unroll
        for (int step = 4; step < 32; step *= 2) {
          a += __shfl_xor_sync(0xffffffffu, a, step);
          b += __shfl_xor_sync(0xffffffffu, b, step);
        }
        if (lane < 4) {
          scratch[warp * 2 * kChannels2 + p * 8 + lane * 2 + i] = a;
          scratch[warp * 2 * kChannels2 + kChannels2 + p * 8 + lane * 2 + i] = b;
        }
      }
    __syncthreads();
    int i = int(threadIdx.x);
    if (i >= 2 * kChannels2) return;
    float total = 0;
    for (int w = 0; w < conv::kWarps; ++w) total += scratch[w * 2 * kChannels2 + i];
    partial[size_t(blockIdx.x) * 2 * kChannels2 + i] = total;
  }
};

// Writes a picture of accumulators, channels innermost.
template <class P, int Channels>
__device__ void store_picture(typename P::Value* picture, const conv::Sums<Channels>& sums) {
  int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    int x = half * 8 + lane / 4;
    if (x >= kSide2) continue;
#pragma unroll
    for (int p = 0; p < Channels / 8; ++p)
#pragma unroll
      for (int row = 0; row < 2; ++row)
        P::store(picture + ((2 * warp + row) * kSide2 + x) * Channels + p * 8 + lane % 4 * 2, sums[half][p][2 * row], sums[half][p][2 * row + 1]);
  }
}

}  // namespace mnist
