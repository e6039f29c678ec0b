// Functions that have one name and different parameters in CUDA 12 and CUDA 13.
//
// A program names for each function the libcudart that it was linked with: `cudaMemAdvise@libcudart.so.13`. This
// library defines both version nodes. Functions that did not change have no version, and the dynamic linker accepts
// them for either node. The functions that did change are defined here under the CUDA 13 node. The linker script
// generated from versions.map.in puts the CUDA 12 functions of the same names under the other node. A program that is
// linked with this library gets the CUDA 12 functions, because include/cuda has CUDA 12's interface. Programs of CUDA
// 13 are linked with NVIDIA's library and only run with this one.
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
