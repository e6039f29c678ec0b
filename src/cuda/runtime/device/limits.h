// cudaDeviceSetLimit's figures, and settings that are remembered and change nothing here.
#pragma once

#include <array>
#include <cstddef>

#include "cuda/runtime/types.h"

namespace warpwise::cuda {

struct Limits {
  // By cudaLimit. What an H200 answers; 0 for L2 persistence, which is a matter of timing alone.
  std::array<size_t, 7> values = {1024, 33 << 18, 8 << 20, 0, 2048, 64, 0};
  cudaFuncCache cache_config = cudaFuncCachePreferNone;
  unsigned device_flags = 0;  // cudaSetDeviceFlags
};

}  // namespace warpwise::cuda
