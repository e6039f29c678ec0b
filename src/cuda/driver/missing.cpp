// The functions that are not there yet. Each exists, so that programs load, says its name on stderr the first time it
// is called, and answers CUDA_ERROR_NOT_SUPPORTED, so that nothing is silently skipped.
#include <atomic>

#include "cuda/driver/call.h"

namespace {

CUresult refuse(std::atomic<bool>& said, const char* name) {
  warpwise::cuda::InsideDriver scope(name);
  return warpwise::cuda::driver::code_of(warpwise::cuda::refuse_missing(said, name));
}

}  // namespace

#pragma GCC diagnostic ignored "-Wunused-parameter"
#define REFUSAL_Ready(symbol, parameters)
#define REFUSAL_Missing(symbol, parameters) \
  CUresult symbol parameters {              \
    static std::atomic<bool> said{false};   \
    return refuse(said, #symbol);           \
  }
#define DRIVER(symbol, name, since, group, state, parameters) REFUSAL_##state(symbol, parameters)
#include "warpwise/driver_api.inc"

// Rows whose parameters are not spelled: the C calling convention lets a function ignore what it is given.
#pragma GCC visibility push(default)
#define DRIVER(...)
#define DRIVER_OPAQUE(symbol, name, since, group) extern "C" REFUSAL_Missing(symbol, ())
#include "warpwise/driver_api.inc"
#pragma GCC visibility pop
