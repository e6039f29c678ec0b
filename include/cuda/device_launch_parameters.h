// threadIdx, blockIdx, blockDim, gridDim, warpSize: Clang's built-in variables, and their values as dim3 and
// uint3.
#pragma once

#if defined(__CUDA__) && defined(__clang__)
#include "vector_types.h"
#include <__clang_cuda_builtin_vars.h>

#define WARPWISE_VARIABLE(name)                                                                                   \
  __device__ inline __cuda_builtin_##name##_t::operator dim3() const { return dim3(x, y, z); }                    \
  __device__ inline __cuda_builtin_##name##_t::operator uint3() const { return uint3{x, y, z}; }
WARPWISE_VARIABLE(threadIdx)
WARPWISE_VARIABLE(blockIdx)
WARPWISE_VARIABLE(blockDim)
WARPWISE_VARIABLE(gridDim)
#undef WARPWISE_VARIABLE
#endif
