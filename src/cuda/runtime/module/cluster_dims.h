// The size of clusters that a kernel's source states (__cluster_dims__). nvcc writes it into the PTX; Clang 19 does not
// know the attribute, so our header puts the kernel's stub on the host into a section of that name: warpwise_cluster(2,
// 1, 1).
#pragma once

#include "cuda/runtime/module/modules.h"
#include "cuda/runtime/types.h"

namespace warpwise::cuda {

// 1x1x1 where the source states none. cudaErrorInvalidClusterSize where it states what is not numbers by the time the
// preprocessor is done.
cudaError_t cluster_dims(Kernel& kernel, dim3* out);

}  // namespace warpwise::cuda
