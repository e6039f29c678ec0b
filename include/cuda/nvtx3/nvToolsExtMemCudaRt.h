// NVTX's memory extension, the part for the runtime API: permissions of devices, and memory that counts as written.
#pragma once

#include "../cuda_runtime_api.h"
#include "nvToolsExtMem.h"

#define NVTX_MEM_CUDA_PEER_ALL_DEVICES -1

#define NVTX_MEMORY_CUDA WARPWISE_NVTX_MEMORY_CALL
#include "../warpwise/nvtx_memory_api.inc"
#undef NVTX_MEMORY_CUDA
