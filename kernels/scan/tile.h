// Running sums of a tile, a vector of 16 bytes per thread and step.
//
// A warp takes kVectors x 32 neighbouring vectors: lane 0 the first, lane 1 the second, ... and so on in steps of 32.
// So loads and stores are whole cache lines, and nothing is turned around in shared memory. The price is one scan by
// shuffles for each vector instead of one for each thread.
//
//     float x[kVectors][4];                       // as loaded
//     float total = scan_in_warp(x);              // x: running sums within the warp's part
//     float before = before_warp(total, room, tile_total);   // what the warps before this one have; one barrier
//     add(x, before + what stands before the tile);
#pragma once

#include "../parts/block_combine.h"
#include "../parts/vectors.h"

template <int kVectors>
__device__ __forceinline__ float scan_in_warp(float (&x)[kVectors][4]) {
  int lane = int(threadIdx.x) % 32;
  float carry = 0;
#pragma unroll
  for (int v = 0; v < kVectors; ++v) {
    x[v][1] += x[v][0], x[v][2] += x[v][1], x[v][3] += x[v][2];
    float running = x[v][3];
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
      float other = __shfl_up_sync(0xffffffffu, running, distance);
      if (lane >= distance) running += other;
    }
    float before = __shfl_up_sync(0xffffffffu, running, 1);
    before = (lane ? before : 0.0f) + carry;
    carry += __shfl_sync(0xffffffffu, running, 31);
#pragma unroll
    for (float& element : x[v]) element += before;
  }
  return carry;
}

// `room` holds a float per warp; see of_block for why callers alternate between two.
__device__ __forceinline__ float before_warp(float total, float* room, float& tile_total) {
  int warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32, warps = int(blockDim.x) / 32;
  if (lane == 0) room[warp] = total;
  __syncthreads();
  float other = lane < warps ? room[lane] : 0.0f;
  tile_total = sum_of_warp(other);
  return sum_of_warp(lane < warp ? other : 0.0f);
}

template <int kVectors>
__device__ __forceinline__ void add(float (&x)[kVectors][4], float before) {
#pragma unroll
  for (auto& vector : x)
#pragma unroll
    for (float& element : vector) element += before;
}

// Which vector of the tile: v of this thread.
template <int kVectors>
__device__ __forceinline__ int vector_of(int v) {
  return (int(threadIdx.x) / 32 * kVectors + v) * 32 + int(threadIdx.x) % 32;
}

// A vector of an array of n elements, whose end may lie within it or before it. Elements beyond are 0.
__device__ __forceinline__ void load_ragged(float (&x)[4], const float* in, size_t vector, size_t n) {
  if (vector * 4 + 4 <= n) {
    unpack<float>(load_once(&reinterpret_cast<const uint4*>(in)[vector]), x);
  } else {
#pragma unroll
    for (int i = 0; i < 4; ++i) x[i] = vector * 4 + i < n ? in[vector * 4 + i] : 0.0f;
  }
}

__device__ __forceinline__ void store_ragged(float* out, const float (&x)[4], size_t vector, size_t n) {
  if (vector * 4 + 4 <= n) {
    store_once(&reinterpret_cast<uint4*>(out)[vector], pack<float>(x));
  } else {
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (vector * 4 + i < n) out[vector * 4 + i] = x[i];
  }
}
