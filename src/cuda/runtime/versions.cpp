// Functions that take other parameters in CUDA 12 than in CUDA 13 under one name.
//
// A program says for each function which libcudart it was linked with: `cudaMemAdvise@libcudart.so.12`.
// This library has both version nodes and no version on functions that did not change, which the
// dynamic linker takes for either. The functions that did change are here under the CUDA 12 node; the
// linker script made from versions.map.in puts their CUDA 13 namesakes under the other.
#include "cuda/runtime/api.h"

#pragma GCC visibility push(default)

#define CUDART(...)
#define VERSIONED(name, suffix, group, state, result, parameters)                              \
  extern "C" result name##suffix##_libcudart12(CUDART_PARAMETERS(parameters)) {                \
    return name##suffix##_cuda12(CUDART_ARGUMENTS(parameters));                                \
  }                                                                                            \
  __asm__(".symver " #name #suffix "_libcudart12, " #name #suffix "@libcudart.so.12");
#define CUDART_12_ABI(name, ...) VERSIONED(name, , __VA_ARGS__)
#define CUDART_12_ABI_PTSZ(name, ...) VERSIONED(name, , __VA_ARGS__) VERSIONED(name, _ptsz, __VA_ARGS__)
#include "cuda/runtime/api.inc"

#pragma GCC visibility pop
