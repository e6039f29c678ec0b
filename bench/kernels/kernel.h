// What the kernels under measurement share.
//
// BENCH_KERNEL(name) makes a function that gives the address which cudaLaunchKernel wants, under a name that
// plain C++ can call, so that the benchmark needs no CUDA compiler for anything but the kernels themselves.
// (Clang would put a constant into the device code, too.)
#pragma once

#include <cuda_runtime.h>

#define BENCH_KERNEL(name) \
  extern "C" const void* bench_##name() { return reinterpret_cast<const void*>(name); }
