// The options of a compilation from PTX: arrays of CUjit_option and of values, as wide as a pointer each. Answers go
// back into buffers and into the values themselves.
//
// Options that steer NVIDIA's optimiser (registers, optimisation level, caching) do not change results; they are
// accepted and not followed.
#pragma once

#include <string_view>

#include "cuda/driver/call.h"

namespace warpwise::cuda::driver {

class JitOptions {
 public:
  JitOptions() = default;
  JitOptions(unsigned count, CUjit_option* options, void** values) : count_(count), options_(options), values_(values) {}

  // CUDA_ERROR_INVALID_VALUE for arrays that are not there and for options that do not exist.
  cudaError_t check() const;
  // Puts the compiler's words into the error log, or says that there were none, and how long it took.
  void report(std::string_view errors, float milliseconds) const;
  bool has_error_log() const { return find(CU_JIT_ERROR_LOG_BUFFER) != nullptr; }

 private:
  void** find(CUjit_option option) const;
  void write_log(CUjit_option buffer, CUjit_option size, std::string_view text) const;

  unsigned count_ = 0;
  CUjit_option* options_ = nullptr;
  void** values_ = nullptr;
};

}  // namespace warpwise::cuda::driver
