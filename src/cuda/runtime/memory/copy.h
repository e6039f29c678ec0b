// The one implementation of copies, whichever CUDA function asked for them.
//
// When a call returns (CUDA runtime API, "API synchronization behavior"):
//
//                        cudaMemcpy...            cudaMemcpy...Async
//   pageable host        when it has run          when it has run (CUDA: staged; the source may change)
//   pinned host          when it has run          at once
//   host to host         when it has run          when it has run
//   device to device     at once                  at once
//   managed              when it has run          at once
#pragma once

#include "cuda/runtime/error.h"
#include "cuda/runtime/process.h"

namespace warpwise::cuda {

enum class CopyMode { Blocking, Async };

struct Copy {
  void* dst = nullptr;
  const void* src = nullptr;
  device::CopyShape shape;
  cudaMemcpyKind kind = cudaMemcpyDefault;
  cudaStream_t stream = nullptr;
  CopyMode mode = CopyMode::Blocking;
};

cudaError_t copy(Process& process, device::Device& gpu, const Copy& request);

// cudaErrorInvalidMemcpyDirection for a value that is not a kind.
cudaError_t check_kind(cudaMemcpyKind kind);

}  // namespace warpwise::cuda
