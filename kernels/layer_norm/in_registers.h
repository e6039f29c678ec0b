// Layer norm of rows that fit in the registers of a block: four vectors of 16 bytes per thread, up to 16,384 floats.
#pragma once

#include "block_sizes.h"
#include "moments.h"

template <int kThreads>
__global__ void __launch_bounds__(kThreads)
    norm_in_registers(const uint4* in, const float4* gamma, const float4* beta, uint4* out, int count, float epsilon) {
  __shared__ Moments room[kThreads / 32];
  size_t start = size_t(blockIdx.x) * count;
  float x[kHeld][4];
  load_row<float>(x, in + start, int(threadIdx.x), kThreads, count, 0);
  Moments row = of_block(moments_of(x, (count - int(threadIdx.x) + kThreads - 1) / kThreads), room);
  float scale = rsqrtf(row.squares / (4 * count) + epsilon);
#pragma unroll
  for (int v = 0; v < kHeld; ++v) {
    int i = int(threadIdx.x) + v * kThreads;
    if (i >= count) break;
    float4 g = gamma[i], b = beta[i];
    float y[4] = {(x[v][0] - row.mean) * scale * g.x + b.x, (x[v][1] - row.mean) * scale * g.y + b.y,
                  (x[v][2] - row.mean) * scale * g.z + b.z, (x[v][3] - row.mean) * scale * g.w + b.w};
    store_once(&out[start + i], pack<float>(y));
  }
}

inline void run_in_registers(const float* in, const float* gamma, const float* beta, float* out, int rows, int columns,
                             float epsilon) {
  with_block_size(columns / 4, [&](auto threads) {
    constexpr int kThreads = threads;
    norm_in_registers<kThreads><<<rows, kThreads>>>(
        reinterpret_cast<const uint4*>(in), reinterpret_cast<const float4*>(gamma),
        reinterpret_cast<const float4*>(beta), reinterpret_cast<uint4*>(out), columns / 4, epsilon);
  });
}
