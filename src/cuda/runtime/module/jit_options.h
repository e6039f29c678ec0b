// The options of a compilation from PTX: arrays of numbers (cudaJitOption and CUjit_option, which agree) and of values,
// as wide as a pointer each. Answers go back into buffers and into the values themselves.
//
// Options that steer NVIDIA's optimiser (registers, optimisation level, caching) do not change results; they are
// accepted and not followed.
#pragma once

#include <string_view>

#include "cuda/runtime/call.h"

namespace warpwise::cuda {

// Those that are followed, and how many there are.
enum class JitOption : int {
  WallTime = 2,
  InfoLogBuffer,
  InfoLogBufferSizeBytes,
  ErrorLogBuffer,
  ErrorLogBufferSizeBytes,
  Count = 35
};

class JitOptions {
 public:
  JitOptions() = default;
  template <class Option>
  JitOptions(unsigned count, const Option* options, void** values)
      : count_(count), options_(reinterpret_cast<const int*>(options)), values_(values) {
    static_assert(sizeof(Option) == sizeof(int));
  }

  // cudaErrorInvalidValue for arrays that are not there and for options that do not exist.
  cudaError_t check() const;
  // Puts the compiler's words into the error log, or says that there were none, and how long it took.
  void report(std::string_view errors, float milliseconds) const;
  bool has_error_log() const { return find(JitOption::ErrorLogBuffer) != nullptr; }

 private:
  void** find(JitOption option) const;
  void write_log(JitOption buffer, JitOption size, std::string_view text) const;

  unsigned count_ = 0;
  const int* options_ = nullptr;
  void** values_ = nullptr;
};

}  // namespace warpwise::cuda
