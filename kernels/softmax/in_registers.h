// Softmax of rows that fit in the registers of a warp or a block: one read, one write, nothing kept anywhere else.
//
// A warp takes a row of up to 256 vectors and needs no barrier; four such warps share a block. A block of 1024 threads
// takes up to 4096 vectors: 16,384 floats.
#pragma once

#include "../parts/row_registers.h"
#include "row.h"

template <class T, int kVectors>
__global__ void __launch_bounds__(128) softmax_by_warp(const T* in, T* out, int rows, int columns) {
  int row = int(blockIdx.x) * 4 + int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
  if (row >= rows) return;
  int count = columns / kPerVector<T>;
  size_t start = size_t(row) * count;
  float x[kVectors][kPerVector<T>];
  load_row<T>(x, reinterpret_cast<const uint4*>(in) + start, lane, 32, count, -INFINITY);
  SoftmaxPart mine = exponentials(x);
  scale(x, factor(mine, of_warp(mine)));
  store_row<T>(reinterpret_cast<uint4*>(out) + start, x, lane, 32, count);
}

template <class T, int kVectors, int kThreads>
__global__ void __launch_bounds__(kThreads) softmax_by_block(const T* in, T* out, int columns) {
  __shared__ SoftmaxPart room[kThreads / 32];
  int count = columns / kPerVector<T>, thread = int(threadIdx.x);
  size_t start = size_t(blockIdx.x) * count;
  float x[kVectors][kPerVector<T>];
  load_row<T>(x, reinterpret_cast<const uint4*>(in) + start, thread, kThreads, count, -INFINITY);
  SoftmaxPart mine = exponentials(x);
  scale(x, factor(mine, of_block(mine, room)));
  store_row<T>(reinterpret_cast<uint4*>(out) + start, x, thread, kThreads, count);
}

template <class T>
void softmax_in_registers(const T* in, T* out, int rows, int columns) {
  int count = columns / kPerVector<T>, blocks = (rows + 3) / 4;
  if (count <= 32)
    softmax_by_warp<T, 1><<<blocks, 128>>>(in, out, rows, columns);
  else if (count <= 64)
    softmax_by_warp<T, 2><<<blocks, 128>>>(in, out, rows, columns);
  else if (count <= 128)
    softmax_by_warp<T, 4><<<blocks, 128>>>(in, out, rows, columns);
  else if (count <= 256)
    softmax_by_warp<T, 8><<<blocks, 128>>>(in, out, rows, columns);
  else if (count <= 512)
    softmax_by_block<T, 4, 128><<<rows, 128>>>(in, out, columns);
  else if (count <= 1024)
    softmax_by_block<T, 4, 256><<<rows, 256>>>(in, out, columns);
  else if (count <= 2048)
    softmax_by_block<T, 4, 512><<<rows, 512>>>(in, out, columns);
  else
    softmax_by_block<T, 4, 1024><<<rows, 1024>>>(in, out, columns);
}
