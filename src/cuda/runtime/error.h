// What an API call answers and what is remembered of it.
//
// CUDA keeps one error per host thread, which cudaGetLastError hands out and forgets. Errors of running
// kernels belong to the device and stick (device::is_sticky): every call answers them until the device
// is reset. Beside its code an error has a detail, one sentence that says which argument was wrong and
// why; the codes alone leave people guessing. Details of launches and of kernels that failed go to
// stderr, because <<<>>> has no result that a program could look at; the others do so when
// WARPWISE_OPTIONS asks for it ("verbosity": 1).
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <string>

#include "cuda/runtime/types.h"
#include "device/device.h"

namespace warpwise::cuda {

// CUDA's code for what went wrong on a device.
cudaError_t code_of(device::Failure failure);

// "cudaErrorInvalidValue" and "invalid argument"; CUDA's own words for codes it does not have.
const char* name_of(cudaError_t error);
const char* text_of(cudaError_t error);

// What the calling host thread remembers.
struct ThreadError {
  cudaError_t last = cudaSuccess;
  std::string detail;  // of `last`
};
ThreadError& thread_error();

// Why the API function that is running fails. `return fail(cudaErrorInvalidValue, "dst is null")`.
cudaError_t fail_with(cudaError_t error, std::string detail);
template <class... Arguments>
cudaError_t fail(cudaError_t error, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  return fail_with(error, fmt::format(format, std::forward<Arguments>(arguments)...));
}
// The same for a failure of the device: its code and its story.
cudaError_t fail(const device::Status& status);

// Answers for a function that is not there yet, and says its name unless it has been `said`.
cudaError_t refuse_missing(std::atomic<bool>& said, const char* function);

}  // namespace warpwise::cuda

// Leaves the function with the code of an expression that is not cudaSuccess.
#define CUDA_TRY(expression)                                                              \
  do {                                                                                    \
    if (cudaError_t cuda_try_ = (expression); cuda_try_ != cudaSuccess) return cuda_try_; \
  } while (false)
