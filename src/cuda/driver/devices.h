// The devices that exist.
#pragma once

#include "cuda/driver/call.h"

namespace warpwise::cuda::driver {

// CUDA_ERROR_INVALID_DEVICE unless there is such a device.
cudaError_t check_device(CUdevice device);

}  // namespace warpwise::cuda::driver
