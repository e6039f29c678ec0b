// NVRTC: CUDA C++ compiled at run time, as libnvrtc exports it. (Reference: NVRTC manual, CUDA 13.0.)
#pragma once

#include <stdlib.h>

typedef enum {
#define NVRTC_RESULT(name, value) name = value,
#include "warpwise/nvrtc_results.inc"
#undef NVRTC_RESULT
} nvrtcResult;

typedef struct _nvrtcProgram* nvrtcProgram;

#ifdef __cplusplus
extern "C" {
#endif
#define NVRTC(result, name, parameters) result name parameters;
#include "warpwise/nvrtc_api.inc"
#undef NVRTC
#ifdef __cplusplus
}

// The name of a type, for use in a name expression.
#if __has_include(<cxxabi.h>)
#include <cxxabi.h>

#include <string>
#include <typeinfo>

inline nvrtcResult nvrtcGetTypeName(const std::type_info& type, std::string* result) {
  int status = 0;
  char* name = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  if (status == 0) *result = name;
  free(name);
  return status == 0 ? NVRTC_SUCCESS : NVRTC_ERROR_INTERNAL_ERROR;
}
// Wrapped in a template, which keeps references and qualifiers.
template <typename T>
struct __nvrtcGetTypeName_helper_t {};
template <typename T>
nvrtcResult nvrtcGetTypeName(std::string* result) {
  nvrtcResult outcome = nvrtcGetTypeName(typeid(__nvrtcGetTypeName_helper_t<T>), result);
  if (outcome != NVRTC_SUCCESS) return outcome;
  size_t first = result->find('<') + 1, last = result->rfind('>');
  while (last > first && (*result)[last - 1] == ' ') --last;
  *result = result->substr(first, last - first);
  return outcome;
}
#endif
#endif
