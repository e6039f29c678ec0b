// Reading an array once, as fast as memory gives it: a grid that fills the GPU once, 16 bytes per access, and kFlight
// accesses of each thread in flight before the first is used.
#pragma once

#include "../parts/vectors.h"

// Calls `use` for each vector of 16 bytes below `count`.
template <int kFlight, class Use>
__device__ __forceinline__ void for_each_vector(const uint4* in, size_t count, Use use) {
  size_t stride = size_t(gridDim.x) * blockDim.x, i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  for (; i + (kFlight - 1) * stride < count; i += kFlight * stride) {
    uint4 raw[kFlight];
#pragma unroll
    for (int k = 0; k < kFlight; ++k) raw[k] = load_once(&in[i + k * stride]);
#pragma unroll
    for (int k = 0; k < kFlight; ++k) use(raw[k]);
  }
  for (; i < count; i += stride) use(load_once(&in[i]));
}
