// Layer norm and RMS norm of rows that come through rings (../parts/row_rings.h). A thread keeps the weights of its
// columns in registers, as they lie in memory.
#pragma once

#include "../parts/row_rings.h"
#include "ring.h"

template <class T, int kVectors, int kPieces>
struct WeightsOfPieces {
  uint4 raw[kPieces][kVectors];

  template <class Where>
  __device__ __forceinline__ WeightsOfPieces(const T* from, const Where& mine) {
#pragma unroll
    for (int piece = 0; piece < kPieces; ++piece)
#pragma unroll
      for (int v = 0; v < kVectors; ++v) {
        const int i = mine.vector(piece, v);
        raw[piece][v] = i < mine.end ? reinterpret_cast<const uint4*>(from)[i] : uint4{0, 0, 0, 0};
      }
  }
};

// A thread adds up x - shift and its square, where `shift` is the mean of the first elements that the warp sees of the
// row: near the row's mean, so that little is lost when sum² / count is taken from the sum of squares (moments.h). It
// is three instructions for an element, and parts are combined once for a row.
template <class T, int kVectors, int kPieces>
struct LayerNormThroughRings {
  using Element = T;
  struct State {
    float shift, sum, squares;
  };
  using Part = Moments;
  struct Whole {
    float mean, scale;
  };
  using Vectors = float[kVectors][kPerVector<T>];
  static constexpr bool kUnrolled = true;
  static constexpr float kPadding = 0;
  using Arguments = NormArguments<T>;

  WeightsOfPieces<T, kVectors, kPieces> gamma, beta;
  float epsilon, count;  // count: of a row's elements that this warp has

  template <class Where>
  __device__ __forceinline__ LayerNormThroughRings(const Arguments& a, const Where& mine)
      : gamma(a.gamma, mine), beta(a.beta, mine), epsilon(a.epsilon) {
    int vectors = 0;
#pragma unroll
    for (int piece = 0; piece < kPieces; ++piece) vectors += mine.count(piece);
    count = float(vectors * kPerVector<T>);
  }
  static __device__ __forceinline__ State nothing() { return {0, 0, 0}; }

  __device__ __forceinline__ void add(State& state, const Vectors& x, int piece, int valid) const {
    if (piece == 0) {
      float sum = 0;
#pragma unroll
      for (float element : x[0]) sum += element;
      state.shift = sum_of_warp(sum) * (1.0f / (32 * kPerVector<T>));
    }
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      if (v >= valid) break;
#pragma unroll
      for (float element : x[v]) {
        const float apart = element - state.shift;
        state.sum += apart;
        state.squares = fmaf(apart, apart, state.squares);
      }
    }
  }
  __device__ __forceinline__ Part part(State mine) const {
    const float sum = sum_of_warp(mine.sum), mean = count > 0 ? __fdividef(sum, count) : 0.0f;
    return {count, mine.shift + mean, sum_of_warp(mine.squares) - sum * mean};
  }
  template <int kParts>
  __device__ __forceinline__ Whole whole(const Part* parts, int columns) const {
    constexpr int kEach = (kParts + 31) / 32;
    Part of_lane[kEach];
    float sum = 0, squares = 0;
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      const int at = i * 32 + int(threadIdx.x) % 32;
      of_lane[i] = at < kParts ? parts[at] : Part::nothing();
      sum += of_lane[i].count * of_lane[i].mean;
    }
    const float mean = __fdividef(sum_of_warp(sum), float(columns));
#pragma unroll
    for (const Part& part : of_lane) squares += part.squares + part.count * (part.mean - mean) * (part.mean - mean);
    return {mean, rsqrtf(__fdividef(sum_of_warp(squares), float(columns)) + epsilon)};
  }
  __device__ __forceinline__ void finish(Vectors& x, const Whole& row, int piece) const {
    const float less = row.mean * row.scale;
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      float g[kPerVector<T>], b[kPerVector<T>];
      unpack_here<T>(gamma.raw[piece][v], g);
      unpack_here<T>(beta.raw[piece][v], b);
#pragma unroll
      for (int i = 0; i < kPerVector<T>; ++i) {
        // One instruction less where x has eight bits: it is exact enough.
        const float y = sizeof(T) == 2 ? fmaf(x[v][i], row.scale, -less) : (x[v][i] - row.mean) * row.scale;
        x[v][i] = fmaf(y, g[i], b[i]);
      }
    }
  }
};

template <class T, int kVectors, int kPieces>
struct RmsNormThroughRings {
  using Element = T;
  using State = Squares;
  using Part = Squares;
  struct Whole {
    float scale;
  };
  using Vectors = float[kVectors][kPerVector<T>];
  static constexpr bool kUnrolled = true;
  static constexpr float kPadding = 0;
  using Arguments = NormArguments<T>;

  WeightsOfPieces<T, kVectors, kPieces> gamma;
  float epsilon;

  template <class Where>
  __device__ __forceinline__ RmsNormThroughRings(const Arguments& a, const Where& mine)
      : gamma(a.gamma, mine), epsilon(a.epsilon) {}
  static __device__ __forceinline__ State nothing() { return Squares::nothing(); }

  __device__ __forceinline__ void add(State& state, const Vectors& x, int, int) const {
    state.sum += squares_of(x).sum;
  }
  __device__ __forceinline__ Part part(State mine) const { return of_warp(mine); }
  template <int kParts>
  __device__ __forceinline__ Whole whole(const Part* parts, int columns) const {
    float sum = 0;
#pragma unroll
    for (int i = 0; i < kParts; i += 32)
      if (i + int(threadIdx.x) % 32 < kParts) sum += parts[i + int(threadIdx.x) % 32].sum;
    return {rsqrtf(sum_of_warp(sum) / columns + epsilon)};
  }
  __device__ __forceinline__ void finish(Vectors& x, const Whole& row, int piece) const {
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      float g[kPerVector<T>];
      unpack_here<T>(gamma.raw[piece][v], g);
#pragma unroll
      for (int i = 0; i < kPerVector<T>; ++i) x[v][i] = x[v][i] * row.scale * g[i];
    }
  }
};

template <template <class, int, int> class Norm, class T, int kBlocks, int kWarps, int kVectors, int kPieces,
          int kSlots, int kLate>
void norm_through_rings(NormArguments<T> arguments, int rows, int columns) {
  run_through_rings<Norm<T, kVectors, kPieces>, kBlocks, kWarps, kVectors, kPieces, kSlots, kLate>(arguments, rows,
                                                                                                   columns);
}
