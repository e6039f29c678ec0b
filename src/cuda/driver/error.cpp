// Names and texts of errors.
#include "cuda/driver/call.h"
#include "cuda/driver/error_names.h"

namespace warpwise::cuda::driver {

const char* name_of_result(CUresult result) {
  switch (result) {
#define DRIVER_ERROR(name, value) \
  case name:                      \
    return #name;
#include "warpwise/driver_errors.inc"
#undef DRIVER_ERROR
  }
  return nullptr;
}

}  // namespace warpwise::cuda::driver

using namespace warpwise::cuda;
using namespace warpwise::cuda::driver;

CUresult cuGetErrorName(CUresult error, const char** name) {
  return call("cuGetErrorName", Needs::Nothing, [&]() -> cudaError_t {
    CUDA_TRY(check_out(name));
    *name = name_of_result(error);
    return *name ? cudaSuccess : fail(cudaErrorInvalidValue, "{} is not an error", static_cast<int>(error));
  });
}

// The runtime has the texts; it gets its own driver-only texts from the driver.
CUresult cuGetErrorString(CUresult error, const char** text) {
  return call("cuGetErrorString", Needs::Nothing, [&]() -> cudaError_t {
    CUDA_TRY(check_out(text));
    *text = nullptr;
    if (!name_of_result(error)) return fail(cudaErrorInvalidValue, "{} is not an error", static_cast<int>(error));
    *text = text_of(as_error(error));
    return cudaSuccess;
  });
}
