// The product of points by centres: each coordinate as the sum of two bfloat16, and three products of these.
//
//     x = h + l, c = h' + l':   x·c = h·h' + h·l' + l·h'   (l·l' is left out)
//
// A warp has 32 points in registers, as mma.m16n8k16 wants them: a lane has four rows, 8 apart, and of each two
// neighbouring coordinates out of eight. Centres come in chunks of 32, each with -|c|²/2 beside it, through a ring in
// shared memory. In a chunk, pieces of 16 bytes are swizzled so that the eight rows that ldmatrix reads lie in
// different banks; the kernel that splits the centres has stored them so, and a chunk is copied as it lies.
#pragma once

#include <cuda_bf16.h>

#include <cmath>

#include "kmeans.cuh"
#include "matrices.cuh"

constexpr int kBlocks = 2;  // of an SM
constexpr int kEights = 2;  // centres that a warp meets at a time, by eight
constexpr int kTile = kThreads, kChunk = 32, kStages = 4, kRows = 4;
constexpr int kRoom = 1 << 17;          // coordinates of centres
constexpr size_t kMostOwn = 136 << 10;  // bytes of a block's own sums

template <int kDepth>
struct Chunk {
  uint4 parts[2][kChunk * kDepth / 8];
  float start[kChunk];  // -|c|²/2; of rows without a centre, minus infinity

  static constexpr int kPieces = kDepth / 8;  // of a row
  __device__ static int place(int row, int piece) { return row * kPieces + (piece ^ row * kPieces / 8 % kPieces); }
};
static_assert(sizeof(Chunk<64>) % 16 == 0);

// All chunks.
__device__ uint4 centre_chunks[kRoom / 4 + kRoom / 64];

__host__ __device__ inline int chunks_of(const Problem& p) { return (p.clusters + kChunk - 1) / kChunk; }

// By a warp.
template <int kDepth>
__device__ inline void split_centre(const Problem& p, const float* centres, int c) {
  const int lane = threadIdx.x % 32, row = c % kChunk;
  Chunk<kDepth>& chunk = reinterpret_cast<Chunk<kDepth>*>(centre_chunks)[c / kChunk];
  double squares = 0;
  for (int d = lane; d < kDepth; d += 32) {
    const float x = c < p.clusters && d < p.dimensions ? centres[size_t(c) * p.dimensions + d] : 0.0f;
    const __nv_bfloat16 high = __float2bfloat16_rn(x), low = __float2bfloat16_rn(x - __bfloat162float(high));
    const int place = Chunk<kDepth>::place(row, d / 8);
    reinterpret_cast<__nv_bfloat16*>(&chunk.parts[0][place])[d % 8] = high;
    reinterpret_cast<__nv_bfloat16*>(&chunk.parts[1][place])[d % 8] = low;
    squares += double(x) * double(x);
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) squares += __shfl_xor_sync(~0u, squares, lanes);
  if (lane == 0) chunk.start[row] = c < p.clusters ? float(-0.5 * squares) : -INFINITY;
}

// The length of the longest centre. By all threads of the block.
template <int kDepth>
__device__ inline float longest_centre(const Problem& p) {
  __shared__ float of_warp[kThreads / 32];
  float start = 0;
  for (int c = threadIdx.x; c < p.clusters; c += kThreads)
    start = fminf(start, reinterpret_cast<const Chunk<kDepth>*>(centre_chunks)[c / kChunk].start[c % kChunk]);
  for (int lanes = 16; lanes > 0; lanes /= 2) start = fminf(start, __shfl_xor_sync(~0u, start, lanes));
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = start;
  __syncthreads();
  for (int warp = 0; warp < kThreads / 32; ++warp) start = fminf(start, of_warp[warp]);
  return sqrtf(-2 * start);
}

// Which point of the warp a lane's row r is; and what is known of row r, to lane r · 8 + i of the i-th of its eight
// points.
__device__ inline int row_of(int r) { return r * 8 + int(threadIdx.x) % 32 / 4; }
template <class T>
__device__ inline T by_point(T value) {
  return __shfl_sync(~0u, value, threadIdx.x % 8 * 4);
}

__device__ inline unsigned word_of(__nv_bfloat162 pair) { return reinterpret_cast<unsigned&>(pair); }

template <int kDepth>
struct Points {
  unsigned parts[2][2][kDepth / 16][4];  // high and low; of the upper and the lower 16 points; operands of mma
  float squares[kRows] = {};

  // which: the lane's rows; -1: none.
  __device__ void read(const Problem& p, const int (&which)[kRows]) {
#pragma unroll
    for (int r = 0; r < kRows; ++r)
#pragma unroll
      for (int eight = 0; eight < kDepth / 8; ++eight) {
        // Loads from where there is no point are of another one, so that none of them waits for a branch.
        const int d = eight * 8 + threadIdx.x % 4 * 2;
        const float* from = p.coordinates + size_t(max(which[r], 0)) * p.dimensions;
        float2 x;
        if (p.dimensions == kDepth) {
          x = __ldg(reinterpret_cast<const float2*>(from + d));
        } else {
          x.x = __ldg(from + min(d, p.dimensions - 1)), x.y = __ldg(from + min(d + 1, p.dimensions - 1));
          if (d >= p.dimensions) x.x = 0;
          if (d + 1 >= p.dimensions) x.y = 0;
        }
        squares[r] += x.x * x.x + x.y * x.y;
        const __nv_bfloat162 high = __floats2bfloat162_rn(x.x, x.y);
        const float2 back = __bfloat1622float2(high);
        parts[0][r / 2][eight / 2][eight % 2 * 2 + r % 2] = word_of(high);
        parts[1][r / 2][eight / 2][eight % 2 * 2 + r % 2] = word_of(__floats2bfloat162_rn(x.x - back.x, x.y - back.y));
      }
  }
  __device__ float length(int r) const {
    float sum = squares[r];
    for (int lanes = 1; lanes < 4; lanes *= 2) sum += __shfl_xor_sync(~0u, sum, lanes);
    return sqrtf(sum);
  }
};

// The largest score so far, and the second largest.
struct Largest {
  float score = -INFINITY, second = -INFINITY;
  int label = 0;

  // A score that is no number makes the two equal: nothing is certain.
  __device__ void meet(float other, int c) {
    second = fmaxf(second, fminf(score, other));
    if (other > score) label = c;
    score = fmaxf(score, other);
  }
  // With the other lanes that have the same row.
  __device__ void combine_quad() {
    for (int lanes = 1; lanes < 4; lanes *= 2) {
      const float other = __shfl_xor_sync(~0u, score, lanes), other_second = __shfl_xor_sync(~0u, second, lanes);
      const int c = __shfl_xor_sync(~0u, label, lanes);
      second = fmaxf(second, other_second);
      meet(other, c);
    }
  }
};

// Of a lane: of each of its four rows kEights times two columns.
struct Scores {
  float sums[2][kEights][4];  // upper and lower 16 points; columns; as mma leaves them

  static constexpr int kAll = kRows * kEights * 2;
  // The i-th, its row, and its column.
  __device__ float at(int i) const { return sums[row(i) / 2][i / 2 % kEights][row(i) % 2 * 2 + i % 2]; }
  __device__ static int row(int i) { return i / (2 * kEights); }
  __device__ static int column(int i) { return i / 2 % kEights * 8 + int(threadIdx.x) % 4 * 2 + i % 2; }
};

// The chunks one after the other, again and again. Where all have room in the ring they stay there.
template <int kDepth>
struct Chunks {
  Chunk<kDepth>* ring;
  int count, asked = 0, stage = 0;
  bool all;

  __device__ Chunks(const Problem& p, Chunk<kDepth>* memory) : ring(memory), count(chunks_of(p)) {
    all = count <= kStages;
    for (int i = 0; i < (all ? count : kStages - 1); ++i) ask(i);
    if (all) end();
  }
  __device__ void ask(int to) {
    const uint4* from = reinterpret_cast<const uint4*>(reinterpret_cast<const Chunk<kDepth>*>(centre_chunks) + asked);
    uint4* place = reinterpret_cast<uint4*>(&ring[to]);
    for (int i = threadIdx.x; i < int(sizeof *ring / sizeof *from); i += kThreads)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(unsigned(__cvta_generic_to_shared(place + i))),
                   "l"(__cvta_generic_to_global(from + i))
                   : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    if (++asked == count) asked = 0;
  }
  __device__ const Chunk<kDepth>& next(int number) {
    if (all) return ring[number];
    asm volatile("cp.async.wait_group %0;" ::"n"(kStages - 2) : "memory");
    __syncthreads();  // it is there for all, and all have done with the place that is filled next
    ask((stage + kStages - 1) % kStages);
    const Chunk<kDepth>& chunk = ring[stage];
    stage = (stage + 1) % kStages;
    return chunk;
  }
  __device__ void end() {
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
  }

  // take(scores, first centre) for all centres, kEights times eight at a time. By all threads of the block.
  template <class Take>
  __device__ void multiply(const Problem& p, const Points<kDepth>& points, Take take) {
    for (int number = 0; number < count; ++number) {
      const Chunk<kDepth>& chunk = next(number);
      const int rows = min(kChunk, p.clusters - number * kChunk);
#pragma unroll 1
      for (int row = 0; row < rows; row += kEights * 8) {
        Scores scores;
        multiply_some(chunk, points, row, scores);
        take(scores, number * kChunk + row);
      }
    }
  }

  __device__ void multiply_some(const Chunk<kDepth>& chunk, const Points<kDepth>& points, int row, Scores& scores) {
    constexpr int kPieces = Chunk<kDepth>::kPieces;
    const int lane = threadIdx.x % 32;
    unsigned centres[kEights][2 * kPieces];  // the high parts' pieces, then those of the low ones
#pragma unroll
    for (int eight = 0; eight < kEights; ++eight) {
#pragma unroll
      for (int piece = 0; piece < 2 * kPieces; piece += 4) {
        const int lanes_piece = piece + lane / 8,
                  place = chunk.place(row + eight * 8 + lane % 8, lanes_piece % kPieces);
        load_matrices(reinterpret_cast<unsigned(&)[4]>(centres[eight][piece]),
                      &chunk.parts[lanes_piece / kPieces][place]);
      }
      const float2 start = *reinterpret_cast<const float2*>(&chunk.start[row + eight * 8 + lane % 4 * 2]);
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        float(&sums)[4] = scores.sums[half][eight];
        sums[0] = sums[2] = start.x, sums[1] = sums[3] = start.y;
      }
    }
#pragma unroll
    for (int product = 0; product < 3; ++product)  // low by high, high by low, high by high
#pragma unroll
      for (int sixteen = 0; sixteen < kDepth / 16; ++sixteen)
#pragma unroll
        for (int half = 0; half < 2; ++half)
#pragma unroll
          for (int eight = 0; eight < kEights; ++eight)
            multiply_add_bf16(scores.sums[half][eight], points.parts[product == 0][half][sixteen],
                              &centres[eight][(product == 1 ? kPieces : 0) + sixteen * 2]);
  }
};
