// What nvcc includes before every source file, for Clang: CUDA's keywords, types and functions.
//
// A program is compiled with `-include cuda_runtime.h`, whether it includes the header itself or not, so every
// compilation pays twice for every millisecond spent here. Therefore the header includes only those few standard
// headers of C that nvcc includes too and programs rely on, uses tables instead of hand-written overloads, and
// templates where CUDA lists types.
//
// A precompiled form halves a small program's compilation (measured, empty kernel, CPU time: 77 ms with this text, 36
// ms precompiled, 26 ms with no header at all); it gives the same PTX, byte for byte.
//
// The order matters. Device overloads of the C library's mathematics come before <cmath> (see device_math.h), those of
// malloc before <new>, the built-in variables before any use of threadIdx, the device functions before the functions
// that use them.
#pragma once

// Programs test this macro to find out whether the header was included (helper_cuda.h of the CUDA samples does).
#define __CUDA_RUNTIME_H__

#if !defined(__CUDA__) || !defined(__clang__)
// A plain C or C++ compiler gets the API alone.
#include "cuda_runtime_api.h"
#include "library_types.h"
#include "vector_functions.h"
#ifdef __cplusplus
#include "warpwise/templates.h"
#endif
#else

#include "host_defines.h"

// The macros that nvcc defines: headers for several compilers test __NVCC__ before they use __device__. Clang's own
// wrapper of NVIDIA's headers must not be included.
#define __NVCC__ 1
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 3
#define __CUDACC_VER_BUILD__ 0
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define CUDA_VERSION 12030
#define __CLANG_CUDA_RUNTIME_WRAPPER_H__

#include <bits/c++config.h>
#include <limits.h>

#include "warpwise/device_heap.h"
#include "warpwise/device_math.h"

// Two parts of the C and C++ libraries cost more than all of these headers: declarations of sinf128 and similar
// functions (half of <math.h>), and the special functions of C++17, which <cmath> includes on request (the <cmath> of
// this folder includes them when a program includes it).
#pragma push_macro("_GLIBCXX_USE_STD_SPEC_FUNCS")
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#include <bits/floatn.h>
#pragma push_macro("__HAVE_FLOAT128")
#pragma push_macro("__HAVE_FLOAT64X")
#pragma push_macro("__HAVE_FLOAT64")
#pragma push_macro("__HAVE_FLOAT32X")
#pragma push_macro("__HAVE_FLOAT32")
#undef __HAVE_FLOAT128
#undef __HAVE_FLOAT64X
#undef __HAVE_FLOAT64
#undef __HAVE_FLOAT32X
#undef __HAVE_FLOAT32
#define __HAVE_FLOAT128 0
#define __HAVE_FLOAT64X 0
#define __HAVE_FLOAT64 0
#define __HAVE_FLOAT32X 0
#define __HAVE_FLOAT32 0
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
// Standard headers that NVIDIA's header includes, on which programs rely for std::min, std::pair or numeric_limits.
#include <bits/stl_algobase.h>
#include <limits>
#include <utility>
#pragma pop_macro("__HAVE_FLOAT32")
#pragma pop_macro("__HAVE_FLOAT32X")
#pragma pop_macro("__HAVE_FLOAT64")
#pragma pop_macro("__HAVE_FLOAT64X")
#pragma pop_macro("__HAVE_FLOAT128")
#pragma pop_macro("_GLIBCXX_USE_STD_SPEC_FUNCS")

#include "cuda_runtime_api.h"
#include "library_types.h"
#include "vector_functions.h"

#include "warpwise/begin_device_code.h"
#include "device_launch_parameters.h"
// Clang's votes are instructions that ended with sm_70; warp_without_mask.h replaces them.
#define __all __clang_all
#define __any __clang_any
#define __ballot __clang_ballot
#include <__clang_cuda_device_functions.h>
#undef __all
#undef __any
#undef __ballot
#include "warpwise/system.h"
#include "warpwise/host_math.h"
#include "warpwise/atomics.h"
#include "warpwise/warp.h"
#include "warpwise/warp_without_mask.h"
#include "warpwise/memory.h"
#include "warpwise/dpx.h"
#include "warpwise/templates.h"
#include "warpwise/builtin_atomics.h"
#include "warpwise/packed_floats.h"
#include "warpwise/device_runtime.h"
#include "surface_indirect_functions.h"
#include "texture_indirect_functions.h"
#include "warpwise/end_device_code.h"

#include <new>

#endif
