// Layer norm and RMS norm as operations on rows that come through a ring (../parts/row_ring.h).
//
// A block stays, and a thread meets the same columns in every row. So it loads its weights once and keeps them in
// registers: a row's traffic is the row, where a block per row would fetch gamma and beta from the L2 cache each time,
// twice the row's own bytes.
#pragma once

#include "../parts/row_ring.h"
#include "in_clusters.h"
#include "moments.h"
#include "weights.h"

// RMS norm has no beta.
template <class T>
struct NormArguments {
  const T* in[1];
  const T *gamma, *beta;
  T* out;
  float epsilon;
};

template <class T, int kVectors>
struct LayerNorm {
  using Element = T;
  using Part = Moments;
  static constexpr int kInputs = 1;
  static constexpr float kPadding = 0;
  using Arguments = NormArguments<T>;

  Weights<T, kVectors> gamma, beta;
  float epsilon;

  __device__ __forceinline__ LayerNorm(const Arguments& a, const Place& place)
      : gamma(a.gamma, place), beta(a.beta, place), epsilon(a.epsilon) {}

  template <int kCount>
  static __device__ __forceinline__ Part part_of(const float (&x)[kCount][kPerVector<T>], const Place& place) {
    return moments_of(x, (place.count - place.first + place.stride - 1) / place.stride);
  }
  template <class Vectors>
  __device__ __forceinline__ Part part(Vectors& x, const Place& place, int) {
    return part_of(x[0], place);
  }
  template <class Vectors>
  __device__ __forceinline__ void finish(Vectors& x, const Place& place, Part, Part row) {
    float scale = rsqrtf(row.squares / place.columns + epsilon);
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      float g[kPerVector<T>], b[kPerVector<T>];
      unpack_here<T>(gamma.raw[v], g);
      unpack_here<T>(beta.raw[v], b);
#pragma unroll
      for (int i = 0; i < kPerVector<T>; ++i) x[0][v][i] = (x[0][v][i] - row.mean) * scale * g[i] + b[i];
    }
  }
  __device__ void end(const Arguments&, const Place&) {}
};

template <class T, int kVectors>
struct RmsNorm {
  using Element = T;
  using Part = Squares;
  static constexpr int kInputs = 1;
  static constexpr float kPadding = 0;
  using Arguments = NormArguments<T>;

  Weights<T, kVectors> gamma;
  float epsilon;

  __device__ __forceinline__ RmsNorm(const Arguments& a, const Place& place)
      : gamma(a.gamma, place), epsilon(a.epsilon) {}

  template <int kCount>
  static __device__ __forceinline__ Part part_of(const float (&x)[kCount][kPerVector<T>], const Place&) {
    return squares_of(x);
  }
  template <class Vectors>
  __device__ __forceinline__ Part part(Vectors& x, const Place& place, int) {
    return part_of(x[0], place);
  }
  template <class Vectors>
  __device__ __forceinline__ void finish(Vectors& x, const Place& place, Part, Part row) {
    float scale = rsqrtf(row.sum / place.columns + epsilon);
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      float g[kPerVector<T>];
      unpack_here<T>(gamma.raw[v], g);
#pragma unroll
      for (int i = 0; i < kPerVector<T>; ++i) x[0][v][i] = x[0][v][i] * scale * g[i];
    }
  }
  __device__ void end(const Arguments&, const Place&) {}
};

// Which ring suits a row: as many threads as it fills, then as many blocks. `Norm` is LayerNorm or RmsNorm. Long rows
// in bfloat16 stay in the registers of a cluster instead (in_clusters.h). The sizes are the best of several that were
// measured for each length on an H200.
template <template <class, int> class Norm, class T>
void run_norm(NormArguments<T> arguments, int rows, int columns) {
  constexpr bool kTwoWeights = sizeof(typename Norm<T, 1>::Part) == sizeof(Moments);  // more registers for each column
  int count = columns / kPerVector<T>;
  if constexpr (sizeof(T) == 4) {
    if (count <= 4096)
      run_ring<Norm<T, 4>, 1024, 4, 3>(arguments, rows, columns);
    else if (count <= 16384 && kTwoWeights)
      run_ring_of_clusters<Norm<T, 4>, 256, 4, 4, 3>(arguments, rows, columns, count <= 8192 ? 8 : 16);
    else if (count <= 32768)
      run_ring_of_clusters<Norm<T, 4>, 512, 4, 3, 2>(arguments, rows, columns,
                                                     count <= 8192    ? 4
                                                     : count <= 16384 ? 8
                                                                      : 16);
    else
      run_ring_of_clusters<Norm<T, 8>, 512, 8, 3>(arguments, rows, columns, 16);  // 96 registers of row and weights
  } else {
    if (count <= 128)
      run_ring<Norm<T, 4>, 32, 4, 4, 20>(arguments, rows, columns);
    else if (count <= 512)
      run_ring<Norm<T, 4>, 128, 4, 6>(arguments, rows, columns);
    else if (count <= 2048)
      run_ring<Norm<T, 4>, 512, 4, 3>(arguments, rows, columns);
    else
      norm_in_clusters<Norm<T, 4>, 4, 512>(arguments, rows, columns);
  }
}
