#include "cuda/runtime/error.h"

#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"

namespace warpwise::cuda {

cudaError_t code_of(device::Failure failure) {
  switch (failure) {
#define FAILURE(failure, error)  \
  case device::Failure::failure: \
    return error;
#include "device/failures.inc"
#undef FAILURE
  }
  return cudaErrorUnknown;
}

namespace {

struct ErrorText {
  const char* name;
  const char* text;
};

ErrorText describe(cudaError_t error) {
  switch (error) {
#define CUDA_ERROR(name, value, text) \
  case name:                          \
    return {#name, text};
#include "cuda/runtime/errors.inc"
#undef CUDA_ERROR
  }
  return {"unrecognized error code", "unrecognized error code"};
}

}  // namespace

const char* name_of(cudaError_t error) { return describe(error).name; }
const char* text_of(cudaError_t error) { return describe(error).text; }

ThreadError& thread_error() {
  thread_local ThreadError error;
  return error;
}

cudaError_t fail_with(cudaError_t error, std::string detail) {
  thread_error().detail = std::move(detail);
  return error;
}

cudaError_t fail(const device::Status& status) {
  return status.ok() ? cudaSuccess : fail_with(code_of(status.failure), status.detail);
}

cudaError_t refuse_missing(std::atomic<bool>& reported, const char* function) {
  std::string detail = fmt::format("{} is not supported yet", function);
  if (!reported.exchange(true)) say(detail);
  return call_without_device(function, [&] { return fail_with(cudaErrorNotSupported, std::move(detail)); });
}

}  // namespace warpwise::cuda

using namespace warpwise::cuda;

cudaError_t cudaGetLastError() {
  cudaError_t error = cudaPeekAtLastError();
  thread_error() = {};
  return error;
}

// Each call that needs the device returns the device's sticky error, and it becomes the thread's last error.
cudaError_t cudaPeekAtLastError() {
  Process::instance().checks.error_was_read();
  return thread_error().last;
}

const char* cudaGetErrorName(cudaError_t error) { return name_of(error); }
const char* cudaGetErrorString(cudaError_t error) { return text_of(error); }
