// One call from outside: arguments to the GPU, the kernel or the host function, all its work, results back.
#pragma once

#include <span>

#include "base/result.h"
#include "capi/gpu.h"
#include "capi/library.h"
#include "warpwise/capi.h"

namespace warpwise::capi {

// Errors: CUDA's names for what the call or a kernel did wrong; U0030 for arguments that the interface excludes; U0031
// after ^C; U0032 for an exception of a host function. Afterwards the GPU can be used again.
Result<void> call(Gpu& gpu, const LibraryFunction& function, const ww_launch* launch,
                  std::span<const ww_argument> arguments, void* result);

struct RealGpu {
  unsigned ordinal;
  void* stream;  // CUstream
};
// On a real GPU that the process has beside the virtual one: what it submits is not waited for. `arguments` are values
// and addresses. Errors: U0030, U0032 and CUDA's names as above; R0601, R0602 where there is no such GPU.
Result<void> call_on_gpu(const Gpu& gpu, const LibraryFunction& function, const ww_launch* launch,
                         std::span<const ww_argument> arguments, void* result, const RealGpu& real);

// The error of a kernel that was launched around call(), after which the GPU is renewed; no error where none failed.
Result<void> recover(Gpu& gpu);

}  // namespace warpwise::capi
