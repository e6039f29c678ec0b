// The options of a compilation from PTX: an array of option numbers (cudaJitOption and CUjit_option, which agree) and
// an array of values, each as wide as a pointer. Results go back into buffers and into the values themselves.
//
// Options that steer NVIDIA's optimiser (registers, optimisation level, caching) do not change results; they are
// accepted and have no effect.
#pragma once

#include <string_view>

#include "cuda/runtime/call.h"

namespace warpwise::cuda {

// The options that have an effect, and their number.
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

  // cudaErrorInvalidValue for missing arrays and for options that do not exist.
  cudaError_t check() const;
  // Puts the compiler's messages into the error log, or sets its length to zero, and stores the time taken.
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
