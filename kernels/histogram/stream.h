// Keys at the speed of memory: a grid that fills the GPU once, four keys per access, kFlight accesses in flight.
#pragma once

#include "../parts/vectors.h"

// Calls use(key, valid) for each key. All lanes of a warp make the same number of calls, so `use` may exchange values
// between lanes.
template <int kFlight, class Use>
__device__ __forceinline__ void for_each_key(const int* keys, size_t n, Use use) {
  const uint4* vectors = reinterpret_cast<const uint4*>(keys);
  size_t count = n / 4, stride = size_t(gridDim.x) * blockDim.x, i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  size_t last_lane = i | 31;
  for (; last_lane + (kFlight - 1) * stride < count; i += kFlight * stride, last_lane += kFlight * stride) {
    uint4 raw[kFlight];
#pragma unroll
    for (int k = 0; k < kFlight; ++k) raw[k] = load_once(&vectors[i + k * stride]);
#pragma unroll
    for (int k = 0; k < kFlight; ++k) {
      use(int(raw[k].x), true), use(int(raw[k].y), true);
      use(int(raw[k].z), true), use(int(raw[k].w), true);
    }
  }
  for (; (i & ~size_t(31)) < count; i += stride) {
    bool valid = i < count;
    uint4 raw = valid ? load_once(&vectors[i]) : uint4{0, 0, 0, 0};
    use(int(raw.x), valid), use(int(raw.y), valid), use(int(raw.z), valid), use(int(raw.w), valid);
  }
  if (blockIdx.x == 0 && threadIdx.x < 32) {
    bool valid = threadIdx.x < n % 4;
    use(valid ? keys[n - 1 - threadIdx.x] : 0, valid);
  }
}
