// The compile-time cluster dimensions of a kernel (__cluster_dims__). nvcc writes them into the PTX. Clang 19 does not
// know the attribute, so include/cuda puts the kernel's host stub into a section with that name: warpwise_cluster(2, 1,
// 1).
#pragma once

#include "cuda/runtime/module/modules.h"
#include "cuda/runtime/types.h"

namespace warpwise::cuda {

// 1x1x1 where the source gives none. cudaErrorInvalidClusterSize where the dimensions are not numbers after
// preprocessing.
cudaError_t cluster_dims(Kernel& kernel, dim3* out);

}  // namespace warpwise::cuda
