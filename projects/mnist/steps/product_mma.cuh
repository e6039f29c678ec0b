// Matrix products on tensor cores for the linear layers: C = A · B, both operands in global memory, 64 × 64 of C to a block of four
// warps, k in chunks of 64 bytes' worth, three chunks under way at once (cp.async). Long sums are split over blockIdx.z.
//
// `ARows`: A is stored m × k (k contiguous); otherwise k × m. `BRows`: B is stored n × k; otherwise k × n. The sizes along the
// contiguous dimensions are multiples of 16 bytes; m, n and k may end inside a tile: what is missing is filled with zeros.
//
//     sink(row, column, two neighbouring values, split)
#pragma once

#include "device.h"
#include "mma.cuh"

namespace mnist::product {

constexpr int kTile = 64, kThreads = 128, kStages = 3;

template <class P, bool Rows>
struct Operand {
  using Value = typename P::Value;
  static constexpr int kChunk = 64 / int(sizeof(Value));  // k of a chunk: two or four mma deep
  static constexpr int kHeight = Rows ? kTile : kChunk, kWidth = Rows ? kChunk : kTile;
  static constexpr int kPitch = kWidth + (Rows ? 16 / int(sizeof(Value)) : P::kColumnPad);
  static constexpr int kSize = kHeight * kPitch;

  // Chunk [k, k + kChunk) of lines [first, first + 64) of an operand with `lines` lines and depth `depth`.
  static __device__ void load(Value* tile, const Value* from, int first, int lines, int k, int depth) {
    constexpr int kEach = 16 / int(sizeof(Value)), kPieces = kWidth / kEach;
#pragma unroll
    for (int i = int(threadIdx.x); i < kHeight * kPieces; i += kThreads) {
      int row = i / kPieces, at = i % kPieces * kEach;
      int line = first + (Rows ? row : at), depth_at = k + (Rows ? at : row), pitch = Rows ? depth : lines;
      bool inside = line < lines && depth_at < depth;
      const Value* source = from + (Rows ? size_t(line) * pitch + depth_at : size_t(depth_at) * pitch + line);
      mma::copy_async(tile + row * kPitch + at, inside ? source : from, inside);
    }
  }
};

template <class P, bool ARows, bool BRows, class Sink>
__global__ void __launch_bounds__(kThreads) kernel(const typename P::Value* a, const typename P::Value* b, int m, int n, int depth, int depth_each, Sink sink) {
  using Value = typename P::Value;
  using OperandA = Operand<P, ARows>;
  using OperandB = Operand<P, BRows>;
  constexpr int kChunk = OperandA::kChunk, kHalf = 16 / int(sizeof(Value));
  extern __shared__ __align__(16) unsigned char memory[];
  auto* tiles = reinterpret_cast<Value*>(memory);
  int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32, warp_m = warp / 2 * 32, warp_n = warp % 2 * 32;
  int row = int(blockIdx.y) * kTile, column = int(blockIdx.x) * kTile, begin = int(blockIdx.z) * depth_each, end = min(depth, begin + depth_each);
  int chunks = (end - begin + kChunk - 1) / kChunk;
  auto stage_a = [&](int stage) { return tiles + stage * (OperandA::kSize + OperandB::kSize); };
  auto start = [&](int chunk) {
    if (chunk < chunks) {
      OperandA::load(stage_a(chunk % kStages), a, row, m, begin + chunk * kChunk, depth);
      OperandB::load(stage_a(chunk % kStages) + OperandA::kSize, b, column, n, begin + chunk * kChunk, depth);
    }
    mma::commit_copies();
  };
  float sums[2][4][4] = {};
#pragma unroll
  for (int s = 0; s < kStages - 1; ++s) start(s);
  for (int chunk = 0; chunk < chunks; ++chunk) {
    mma::wait_copies<kStages - 2>();
    __syncthreads();
    start(chunk + kStages - 1);
    const Value *tile_a = stage_a(chunk % kStages), *tile_b = tile_a + OperandA::kSize;
#pragma unroll
    for (int k = 0; k < kChunk; k += P::kDepth) {
      typename P::A fa[2];
      typename P::B fb[4];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        if constexpr (ARows) P::a_rows(fa[i], tile_a + (warp_m + i * 16 + mma::a_row(lane)) * OperandA::kPitch + k + mma::a_half(lane) * kHalf);
        else P::a_columns(fa[i], tile_a + k * OperandA::kPitch + warp_m + i * 16, OperandA::kPitch, lane);
        if constexpr (BRows) P::b_rows(fb + 2 * i, tile_b + (warp_n + i * 16 + mma::b_row(lane)) * OperandB::kPitch + k + mma::b_half(lane) * kHalf);
        else P::b_columns(fb + 2 * i, tile_b + k * OperandB::kPitch + warp_n + i * 16, OperandB::kPitch, lane);
      }
#pragma unroll
      for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) P::multiply(sums[i][j], fa[i], fb[j]);
    }
  }
#pragma unroll
  for (int i = 0; i < 2; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j)
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        int r = row + warp_m + i * 16 + lane / 4 + h * 8, c = column + warp_n + j * 8 + lane % 4 * 2;
        if (r < m && c < n) sink(r, c, sums[i][j][2 * h], sums[i][j][2 * h + 1], int(blockIdx.z));
      }
}

// `splits` blocks share the depth.
template <class P, bool ARows, bool BRows, class Sink>
void launch(cudaStream_t stream, const typename P::Value* a, const typename P::Value* b, int m, int n, int depth, int splits, Sink sink) {
  constexpr int kChunk = Operand<P, ARows>::kChunk;
  size_t bytes = kStages * sizeof(typename P::Value) * size_t(Operand<P, ARows>::kSize + Operand<P, BRows>::kSize);
  auto* function = kernel<P, ARows, BRows, Sink>;
  MNIST_CHECK(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)));
  int each = int(blocks_for(blocks_for(size_t(depth), kChunk), unsigned(splits))) * kChunk;
  dim3 grid(blocks_for(size_t(n), kTile), blocks_for(size_t(m), kTile), unsigned(splits));
  function<<<grid, kThreads, bytes, stream>>>(a, b, m, n, depth, each, sink);
  MNIST_CHECK(cudaGetLastError());
}

}  // namespace mnist::product
