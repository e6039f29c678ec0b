// Pointer types of the driver's functions, for programs that look functions up by name (cudaGetDriverEntryPoint,
// cuGetProcAddress). PFN_cuTensorMapEncodeTiled_v12000 is the type of the function as introduced in CUDA 12.0,
// PFN_cuTensorMapEncodeTiled that of the version in cuda.h. (Source: CUDA 13.0, cudaTypedefs.h, which also has the
// twins for a default stream per thread.)
#pragma once

#include "cuda.h"

// Every kind of row is spelled out: if a row macro passed `name` on, the macros of cuda.h would replace it.
#define DRIVER(symbol, name, since, group, state, parameters) typedef CUresult(CUDAAPI* PFN_##name##_v##since) parameters;
#define DRIVER_PTSZ(symbol, name, since, group, state, parameters, arguments) \
  typedef CUresult(CUDAAPI* PFN_##name##_v##since) parameters;
#define DRIVER_PTDS(symbol, name, since, group, state, parameters, arguments) \
  typedef CUresult(CUDAAPI* PFN_##name##_v##since) parameters;
#include "warpwise/driver_api.inc"

// A versioned name is a macro of cuda.h, so `&name` is the version that programs get. Three also have overloads; this
// selects one.
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
