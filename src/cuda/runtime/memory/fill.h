// The one implementation of fills, whichever CUDA function asked for them.
#pragma once

#include "cuda/runtime/memory/copy.h"
#include "cuda/runtime/memory/places.h"

namespace warpwise::cuda {

struct FillRequest {
  void* dst = nullptr;
  uint32_t value = 0;
  uint8_t value_bytes = 1;  // 1, 2 or 4
  BoxShape shape;
  cudaStream_t stream = nullptr;
  CopyMode mode = CopyMode::Blocking;
};

cudaError_t fill(Process& process, device::Device& gpu, const FillRequest& request);

}  // namespace warpwise::cuda
