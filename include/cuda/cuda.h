// The types of the driver API that programs of the runtime API mention. The driver's functions are reached
// through cudaGetDriverEntryPoint; there is no libcuda to link with yet, so none is declared here: a program that
// calls one stops at compile time, not at run time.
#pragma once

#define __cuda_cuda_h__

#include <stddef.h>

#ifndef CUDA_VERSION
#define CUDA_VERSION 12030
#endif

typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;
