// The functions that are not implemented. Each exists, so that programs load. It names itself on stderr at its first
// call and returns CUDA_ERROR_NOT_SUPPORTED, so that no call is silently skipped.
#include <atomic>

#include "cuda/driver/call.h"

namespace {

CUresult refuse(std::atomic<bool>& reported, const char* name) {
  warpwise::cuda::InsideDriver scope(name);
  return warpwise::cuda::driver::code_of(warpwise::cuda::refuse_missing(reported, name));
}

}  // namespace

#pragma GCC diagnostic ignored "-Wunused-parameter"
#define REFUSAL_Ready(symbol, parameters)
#define REFUSAL_Missing(symbol, parameters)   \
  CUresult symbol parameters {                \
    static std::atomic<bool> reported{false}; \
    return refuse(reported, #symbol);         \
  }
#define DRIVER(symbol, name, since, group, state, parameters) REFUSAL_##state(symbol, parameters)
#include "warpwise/driver_api.inc"

// Rows without parameter types. In the C calling convention a function may ignore its arguments.
#pragma GCC visibility push(default)
#define DRIVER(...)
#define DRIVER_OPAQUE(symbol, name, since, group) extern "C" REFUSAL_Missing(symbol, ())
#include "warpwise/driver_api.inc"
#pragma GCC visibility pop
