// Copies that have a CUDA array on one side or both.
#pragma once

#include "cuda/runtime/memory/copy.h"

namespace warpwise::cuda {

// A box of an array as pitched memory. Positions and extents of arrays count texels in x (CUDA runtime API,
// "cudaMemcpy3D"); cudaErrorInvalidValue when it does not fit.
struct ArrayBox {
  void* first = nullptr;
  size_t pitch = 0, slice = 0;
};
cudaError_t locate_in_array(Process& process, cudaArray_const_t array, const cudaPos& at, const cudaExtent& texels,
                            const char* what, ArrayBox* box);
// The bytes of one of its texels; cudaErrorInvalidResourceHandle when the handle is not an array.
cudaError_t texel_bytes(Process& process, cudaArray_const_t array, size_t* bytes);

}  // namespace warpwise::cuda
