// What an API call returns, and what is remembered of it.
//
// CUDA keeps one error per host thread; cudaGetLastError returns and clears it. Errors of running kernels belong to the
// device and are sticky (device::is_sticky): every call returns them until the device is reset. In addition to its code
// an error has a detail, one sentence that says which argument was wrong and why, because codes alone say too little.
// Details of launches and of failed kernels go to stderr, because <<<>>> returns nothing that a program could read. The
// others do so when WARPWISE_OPTIONS asks for it ("verbosity": 1).
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <string>

#include "cuda/runtime/types.h"
#include "device/device.h"

namespace warpwise::cuda {

// CUDA's code for an error of the device.
cudaError_t code_of(device::Failure failure);

// "cudaErrorInvalidValue" and "invalid argument", or CUDA's texts for codes that it does not define.
const char* name_of(cudaError_t error);
const char* text_of(cudaError_t error);

// What is remembered for the calling host thread.
struct ThreadError {
  cudaError_t last = cudaSuccess;
  std::string detail;  // of `last`
};
ThreadError& thread_error();

// The reason why the current API function fails: `return fail(cudaErrorInvalidValue, "dst is null")`.
cudaError_t fail_with(cudaError_t error, std::string detail);
template <class... Arguments>
cudaError_t fail(cudaError_t error, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  return fail_with(error, fmt::format(format, std::forward<Arguments>(arguments)...));
}
// The same for a failure of the device: its code and its description.
cudaError_t fail(const device::Status& status);

// Returns the error of a function that is not implemented, and names the function on stderr unless that has been
// `reported`.
cudaError_t refuse_missing(std::atomic<bool>& reported, const char* function);

}  // namespace warpwise::cuda

// Returns from the function with the value of an expression that is not cudaSuccess.
#define CUDA_TRY(expression)                                                              \
  do {                                                                                    \
    if (cudaError_t cuda_try_ = (expression); cuda_try_ != cudaSuccess) return cuda_try_; \
  } while (false)
