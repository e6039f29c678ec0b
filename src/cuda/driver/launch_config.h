// CUlaunchConfig and cudaLaunchConfig_t differ only in how they spell dimensions.
#pragma once

#include "cuda/driver/call.h"

namespace warpwise::cuda::driver {

static_assert(sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute));

inline cudaLaunchConfig_t runtime_config(const CUlaunchConfig& config) {
  return {.gridDim = {config.gridDimX, config.gridDimY, config.gridDimZ},
          .blockDim = {config.blockDimX, config.blockDimY, config.blockDimZ},
          .dynamicSmemBytes = config.sharedMemBytes,
          .stream = config.hStream,
          .attrs = reinterpret_cast<cudaLaunchAttribute*>(config.attrs),
          .numAttrs = config.numAttrs};
}

}  // namespace warpwise::cuda::driver
