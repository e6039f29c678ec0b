// What the kernels under measurement share.
//
// BENCH_KERNEL(name) puts the address that cudaLaunchKernel wants under a name that plain C++ can ask for,
// so that the benchmark needs no CUDA compiler for anything but the kernels themselves.
#pragma once

#include <cuda_runtime.h>

#define BENCH_KERNEL(name) extern "C" const void* const bench_##name = reinterpret_cast<const void*>(name)
