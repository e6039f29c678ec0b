// NVTX names for objects of the runtime API.
#pragma once

#include "../cuda_runtime_api.h"
#include "../nvToolsExt.h"

static inline void nvtxNameCudaDeviceA(int device, const char* name) { (void)device, (void)name; }
static inline void nvtxNameCudaStreamA(cudaStream_t stream, const char* name) { (void)stream, (void)name; }
static inline void nvtxNameCudaEventA(cudaEvent_t event, const char* name) { (void)event, (void)name; }
