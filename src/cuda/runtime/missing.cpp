// The functions that are not implemented. Each exists, so that programs load. It names itself on stderr at its first
// call and returns cudaErrorNotSupported, so that no call is silently skipped.
#include <atomic>
#include <type_traits>

#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"

namespace {

template <class Answer>
Answer refuse(std::atomic<bool>& reported, const char* name) {
  cudaError_t error = warpwise::cuda::refuse_missing(reported, name);
  if constexpr (std::is_same_v<Answer, cudaError_t>)
    return error;
  else
    return Answer{};
}

}  // namespace

#define REFUSAL_Ready(name, result, ...)
#define REFUSAL_Missing(name, result, ...)    \
  extern "C" result name(__VA_ARGS__) {       \
    static std::atomic<bool> reported{false}; \
    return refuse<result>(reported, #name);   \
  }
#define UNUSED_PARAMETER(parameter) [[maybe_unused]] CUDART_DECLARE(parameter)

#define CUDART(name, group, state, result, parameters) \
  REFUSAL_##state(name, result, CUDART_EACH(UNUSED_PARAMETER, CUDART_LIST parameters))
#include "cuda/runtime/api.inc"

// Rows without parameter types. In the C calling convention a function may ignore its arguments.
#pragma GCC visibility push(default)
#define CUDART(...)
#define CUDART_OPAQUE(name, group)               \
  extern "C" cudaError_t name() {                \
    static std::atomic<bool> reported{false};    \
    return refuse<cudaError_t>(reported, #name); \
  }
#include "cuda/runtime/api.inc"
#pragma GCC visibility pop
