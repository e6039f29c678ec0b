// Declarations of every function of the runtime, generated from api.inc. Each file that implements a group includes
// this header. An implementation whose types differ from its row does not compile; a Ready row without one does not
// link.
#pragma once

#include "cuda/runtime/api_rows.h"
#include "cuda/runtime/device/device_properties.h"
#include "cuda/runtime/types.h"

#pragma GCC visibility push(default)
extern "C" {

#define CUDART(name, group, state, result, parameters) result name(CUDART_PARAMETERS(parameters));
#define CUDART_13_ABI(name, group, state, result, parameters) result name##_cuda13(CUDART_PARAMETERS(parameters));
#define CUDART_13_ABI_PTSZ(name, group, state, result, parameters) \
  result name##_cuda13(CUDART_PARAMETERS(parameters));             \
  result name##_ptsz_cuda13(CUDART_PARAMETERS(parameters));
#define CUDART_PTSZ(name, group, state, result, parameters) \
  result name(CUDART_PARAMETERS(parameters));               \
  result name##_ptsz(CUDART_PARAMETERS(parameters));
#define CUDART_PTDS(name, group, state, result, parameters) \
  result name(CUDART_PARAMETERS(parameters));               \
  result name##_ptds(CUDART_PARAMETERS(parameters));
#include "cuda/runtime/api.inc"

}  // extern "C"
#pragma GCC visibility pop
