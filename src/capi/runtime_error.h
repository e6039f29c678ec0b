// What a function of the CUDA runtime has just returned, with the text that this thread has about it.
#pragma once

#include <utility>

#include "base/result.h"
#include "cuda/runtime/error.h"

namespace warpwise::capi {

inline Result<void> runtime_result(cudaError_t error) {
  if (error == cudaSuccess) return {};
  const std::string detail = std::exchange(cuda::thread_error(), {}).detail;
  return Error{cuda::name_of(error), detail.empty() ? cuda::text_of(error) : detail};
}

}  // namespace warpwise::capi
