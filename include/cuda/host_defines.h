// The keywords that CUDA adds to C++, spelled as attributes of Clang (or nothing, for a plain C++ compiler that only
// needs the runtime API's types).
#pragma once

#if defined(__CUDA__) && defined(__clang__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#if defined(__CUDACC_RTC__)
// The program that loads a module may write its static variables by name; without this Clang would fold such a variable
// to its initial value.
#define __constant__ __attribute__((constant, used))
#else
#define __constant__ __attribute__((constant))
#endif
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
// A promise that lets the compiler omit a copy. Clang 19 has no such attribute, and copies only what is written.
#define __grid_constant__
// Clang lacks this one as well. The kernel's host stub is put into a section that is named after the sizes, which the
// runtime reads at the kernel's launch.
#if defined(__CUDA_ARCH__)
#define __cluster_dims__(...)
#else
#define WARPWISE_TEXT(...) #__VA_ARGS__
#define __cluster_dims__(...) __attribute__((section("warpwise_cluster(" WARPWISE_TEXT(__VA_ARGS__) ")")))
#endif
#define __maxnreg__(...)
#define __block_size__(...)
// Clang supports managed variables only for HIP. Here a managed variable is a device variable whose host shadow lies in
// a section of its own. By that section the runtime recognises it and joins both: whole pages by mapping them twice,
// hence the alignment, the rest by keeping both in step. A name that begins with .sbss makes the section one without
// bytes in the file.
#if defined(__CUDA_ARCH__)
#define __managed__ __attribute__((device, aligned(4096)))
#else
#define __managed__ __attribute__((device, aligned(4096), section(".sbss.warpwise_managed")))
#endif
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __launch_bounds__(...)
#define __grid_constant__
#define __managed__
#endif

// __noinline__ is no macro, because libstdc++ writes __attribute__((__noinline__)). In CUDA sources it is a keyword of
// Clang; in others it does not exist, as with NVIDIA's header.
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __inline_hint__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __no_return__ __attribute__((noreturn))
#define __thread__ __thread
#define __cudart_builtin__
#define __device_builtin__
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#ifndef __restrict
#define __restrict __restrict__
#endif
