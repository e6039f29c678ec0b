// Functions that take other parameters in CUDA 13 than in CUDA 12 under one name.
//
// A program says for each function which libcudart it was linked with: `cudaMemAdvise@libcudart.so.13`.
// This library has both version nodes and no version on functions that did not change, which the
// dynamic linker takes for either. The functions that did change are here under the CUDA 13 node; the
// linker script made from versions.map.in puts their CUDA 12 namesakes under the other. Those are what a
// program gets that is linked with this very library, because include/cuda has CUDA 12's interface;
// programs of CUDA 13 are linked with NVIDIA's library and only run with this one.
#include "cuda/runtime/api.h"

#pragma GCC visibility push(default)

#define CUDART(...)
#define VERSIONED(name, suffix, group, state, result, parameters)               \
  extern "C" result name##suffix##_libcudart13(CUDART_PARAMETERS(parameters)) { \
    return name##suffix##_cuda13(CUDART_ARGUMENTS(parameters));                 \
  }                                                                             \
  __asm__(".symver " #name #suffix "_libcudart13, " #name #suffix "@libcudart.so.13");
#define CUDART_13_ABI(name, ...) VERSIONED(name, , __VA_ARGS__)
#define CUDART_13_ABI_PTSZ(name, ...) VERSIONED(name, , __VA_ARGS__) VERSIONED(name, _ptsz, __VA_ARGS__)
#include "cuda/runtime/api.inc"

#pragma GCC visibility pop
