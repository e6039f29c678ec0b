// The types of pointers to the driver's functions, for programs that ask for them by name (cudaGetDriverEntryPoint,
// cuGetProcAddress): PFN_cuTensorMapEncodeTiled_v12000 is that of the function as it came with CUDA 12.0, and
// PFN_cuTensorMapEncodeTiled that of the one that cuda.h gives. (Source: CUDA 13.0, cudaTypedefs.h, which has more: the twins
// for a default stream per thread.)
#pragma once

#include "cuda.h"

// Every kind of row is spelled out: a row that is handed on would have `name` replaced by what cuda.h makes of it.
#define DRIVER(symbol, name, since, group, state, parameters) typedef CUresult(CUDAAPI* PFN_##name##_v##since) parameters;
#define DRIVER_PTSZ(symbol, name, since, group, state, parameters, arguments) \
  typedef CUresult(CUDAAPI* PFN_##name##_v##since) parameters;
#define DRIVER_PTDS(symbol, name, since, group, state, parameters, arguments) \
  typedef CUresult(CUDAAPI* PFN_##name##_v##since) parameters;
#include "warpwise/driver_api.inc"

// A name that has versions is a macro of cuda.h, so `&name` is the version that programs get. Three have overloads beside it; which
// is meant is said here.
#pragma push_macro("cuCtxCreate")
#undef cuCtxCreate
#define cuCtxCreate cuCtxCreate_v4
#define cuMemAdvise cuMemAdvise_v2
#define cuMemPrefetchAsync cuMemPrefetchAsync_v2
#define DRIVER(symbol, name, since, group, state, parameters) typedef __typeof__(&name) PFN_##name;
#define DRIVER_PTSZ(symbol, name, since, group, state, parameters, arguments) typedef __typeof__(&name) PFN_##name;
#define DRIVER_PTDS(symbol, name, since, group, state, parameters, arguments) typedef __typeof__(&name) PFN_##name;
#include "warpwise/driver_api.inc"
#undef cuMemAdvise
#undef cuMemPrefetchAsync
#pragma pop_macro("cuCtxCreate")
