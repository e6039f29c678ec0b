#include "cuda/driver/call.h"

#include "cuda/driver/contexts.h"
#include "cuda/driver/error_names.h"

namespace warpwise::cuda::driver {

CUresult code_of(cudaError_t error) {
  switch (error) {
    // Codes that only the runtime has.
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidHostPointer:
    case cudaErrorInvalidDevicePointer:
    case cudaErrorInvalidTexture:
    case cudaErrorInvalidChannelDescriptor:
    case cudaErrorInvalidMemcpyDirection:
    case cudaErrorInvalidFilterSetting:
    case cudaErrorInvalidNormSetting:
      return CUDA_ERROR_INVALID_VALUE;
    case cudaErrorInvalidSymbol:
      return CUDA_ERROR_NOT_FOUND;
    case cudaErrorInvalidDeviceFunction:
      return CUDA_ERROR_INVALID_HANDLE;
    case cudaErrorIncompatibleDriverContext:
      return CUDA_ERROR_INVALID_CONTEXT;
    default:
      return name_of_result(static_cast<CUresult>(error)) ? static_cast<CUresult>(error) : CUDA_ERROR_UNKNOWN;
  }
}

cudaError_t begin(const char* function, Needs needs, device::Device** gpu) {
  if (needs == Needs::Nothing) return cudaSuccess;
  if (!Contexts::instance().initialised())
    return fail(as_error(CUDA_ERROR_NOT_INITIALIZED), "cuInit has not been called");
  if (needs == Needs::Context) CUDA_TRY(Contexts::instance().check_current());
  return begin_call(function, /*despite_failure=*/needs == Needs::Init, gpu);
}

CUresult end(const char* function, cudaError_t result, Report report) {
  CUresult code = code_of(result);
  if (code == CUDA_SUCCESS || code == CUDA_ERROR_NOT_READY) return code;
  Process& process = Process::instance();
  bool kernel_failed = sticky_error() == result;
  process.checks.failed(function, /*launch=*/false, kernel_failed, result, thread_error().detail);
  bool speak =
      kernel_failed ? process.first_report_of_failure() : report != Report::WhenVerbose || process.verbosity() >= 1;
  if (speak && process.verbosity() >= 0) {
    const std::string& detail = thread_error().detail;
    const std::string text =
        fmt::format("{}: {}: {}", function, name_of_result(code), detail.empty() ? text_of(result) : detail);
    if (report != Report::Once || process.first_report_of(text)) say(text);
  }
  return code;
}

}  // namespace warpwise::cuda::driver
