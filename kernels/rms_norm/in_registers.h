// RMS norm of rows that fit in the registers of a block: four vectors of 16 bytes per thread, up to 16,384 floats.
#pragma once

#include "../layer_norm/block_sizes.h"
#include "../layer_norm/moments.h"

template <int kThreads>
__global__ void __launch_bounds__(kThreads)
    norm_in_registers(const uint4* in, const float4* gamma, uint4* out, int count, float epsilon) {
  __shared__ Squares room[kThreads / 32];
  size_t start = size_t(blockIdx.x) * count;
  float x[kHeld][4];
  load_row<float>(x, in + start, int(threadIdx.x), kThreads, count, 0);
  Squares row = of_block(squares_of(x), room);
  float scale = rsqrtf(row.sum / (4 * count) + epsilon);
#pragma unroll
  for (int v = 0; v < kHeld; ++v) {
    int i = int(threadIdx.x) + v * kThreads;
    if (i >= count) break;
    float4 g = gamma[i];
    float y[4] = {x[v][0] * scale * g.x, x[v][1] * scale * g.y, x[v][2] * scale * g.z, x[v][3] * scale * g.w};
    store_once(&out[start + i], pack<float>(y));
  }
}

inline void run_in_registers(const float* in, const float* gamma, float* out, int rows, int columns, float epsilon) {
  with_block_size(columns / 4, [&](auto threads) {
    constexpr int kThreads = threads;
    norm_in_registers<kThreads><<<rows, kThreads>>>(reinterpret_cast<const uint4*>(in),
                                                    reinterpret_cast<const float4*>(gamma),
                                                    reinterpret_cast<uint4*>(out), columns / 4, epsilon);
  });
}
