// The limits of cudaDeviceSetLimit, and settings that are remembered and have no effect here.
#pragma once

#include <array>
#include <cstddef>

#include "cuda/runtime/types.h"

namespace warpwise::cuda {

struct Limits {
  // Indexed by cudaLimit. The values of an H200; 0 for L2 persistence, which affects timing alone.
  std::array<size_t, 7> values = {1024, 33 << 18, 8 << 20, 0, 2048, 64, 0};
  cudaFuncCache cache_config = cudaFuncCachePreferNone;
  unsigned device_flags = 0;  // cudaSetDeviceFlags
};

}  // namespace warpwise::cuda
