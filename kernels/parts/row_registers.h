// A row in registers: each thread holds a few vectors of 16 bytes, `stride` apart, so that neighbouring threads read
// neighbouring vectors. Nothing is kept anywhere else, and the row is read once.
//
//     float x[kVectors][kPerVector<T>];
//     load_row<T>(x, row, threadIdx.x, kThreads, count, padding);   // `padding` beyond the row's `count` vectors
//     ...
//     store_row<T>(row, x, threadIdx.x, kThreads, count);
#pragma once

#include "vectors.h"

template <class T, int kVectors>
__device__ __forceinline__ void load_row(float (&x)[kVectors][kPerVector<T>], const uint4* from, int first, int stride,
                                         int count, float padding) {
#pragma unroll
  for (int v = 0; v < kVectors; ++v) {
    if (first + v * stride < count) {
      unpack<T>(load_once(&from[first + v * stride]), x[v]);
    } else {
#pragma unroll
      for (float& element : x[v]) element = padding;
    }
  }
}

template <class T, int kVectors>
__device__ __forceinline__ void store_row(uint4* to, const float (&x)[kVectors][kPerVector<T>], int first, int stride,
                                          int count) {
#pragma unroll
  for (int v = 0; v < kVectors; ++v)
    if (first + v * stride < count) store_once(&to[first + v * stride], pack<T>(x[v]));
}
