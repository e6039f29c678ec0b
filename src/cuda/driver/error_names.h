// The results of cuGetErrorName.
#pragma once

#include "cuda/driver/api.h"

namespace warpwise::cuda::driver {

// "CUDA_ERROR_INVALID_VALUE"; null for a value that is no CUresult.
const char* name_of_result(CUresult result);

}  // namespace warpwise::cuda::driver
