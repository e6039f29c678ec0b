// NVTX's memory extension: a program declares pools that it subdivides itself, their suballocations, names, and which
// accesses kernels may make. `warpwise check` compares kernels with these declarations (docs/checking.md). Otherwise
// each function costs one test and does nothing, and handles are null.
#pragma once

#include "../nvToolsExt.h"

#define NVTX_EXT_MODULEID_MEM 1
#define NVTX_EXT_COMPATID_MEM 0x0102

#define NVTX_MEM_HEAP_HANDLE_PROCESS_WIDE ((nvtxMemHeapHandle_t)0)
#define NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR 0x1
#define NVTX_MEM_HEAP_USAGE_TYPE_LAYOUT 0x2
#define NVTX_MEM_TYPE_VIRTUAL_ADDRESS 0x1
#define NVTX_MEM_REGION_REF_TYPE_UNKNOWN 0x0
#define NVTX_MEM_REGION_REF_TYPE_POINTER 0x1
#define NVTX_MEM_REGION_REF_TYPE_HANDLE 0x2
#define NVTX_MEM_PERMISSIONS_HANDLE_PROCESS_WIDE ((nvtxMemPermissionsHandle_t)0)
#define NVTX_MEM_PERMISSIONS_CREATE_FLAGS_NONE 0x0
#define NVTX_MEM_PERMISSIONS_CREATE_FLAGS_EXCLUDE_GLOBAL_READ 0x1
#define NVTX_MEM_PERMISSIONS_CREATE_FLAGS_EXCLUDE_GLOBAL_WRITE 0x2
#define NVTX_MEM_PERMISSIONS_CREATE_FLAGS_EXCLUDE_GLOBAL_ATOMIC 0x4
#define NVTX_MEM_PERMISSIONS_REGION_FLAGS_NONE 0x0
#define NVTX_MEM_PERMISSIONS_REGION_FLAGS_READ 0x1
#define NVTX_MEM_PERMISSIONS_REGION_FLAGS_WRITE 0x2
#define NVTX_MEM_PERMISSIONS_REGION_FLAGS_ATOMIC 0x4
#define NVTX_MEM_PERMISSIONS_REGION_FLAGS_RESET 0x8
#define NVTX_MEM_PERMISSIONS_BIND_FLAGS_NONE 0x0
#define NVTX_MEM_PERMISSIONS_BIND_FLAGS_STRICT_READ 0x1
#define NVTX_MEM_PERMISSIONS_BIND_FLAGS_STRICT_WRITE 0x2
#define NVTX_MEM_PERMISSIONS_BIND_FLAGS_STRICT_ATOMIC 0x4
#define NVTX_MEM_PERMISSIONS_BIND_SCOPE_UNKNOWN 0x0
#define NVTX_MEM_PERMISSIONS_BIND_SCOPE_CPU_THREAD 0x1
#define NVTX_MEM_PERMISSIONS_BIND_SCOPE_CUDA_STREAM 0x2

typedef struct nvtxMemHeap_v1 nvtxMemHeap_t;
typedef nvtxMemHeap_t* nvtxMemHeapHandle_t;
typedef struct nvtxMemRegion_v1 nvtxMemRegion_t;
typedef nvtxMemRegion_t* nvtxMemRegionHandle_t;
typedef struct nvtxMemPermissions_v1 nvtxMemPermissions_t;
typedef nvtxMemPermissions_t* nvtxMemPermissionsHandle_t;
typedef union nvtxMemRegionRef_t {
  void const* pointer;
  nvtxMemRegionHandle_t handle;
} nvtxMemRegionRef_t;

// Every batch begins with its version and size, and is traversed by the size of its elements.
typedef struct nvtxMemVirtualRangeDesc_v1 {
  size_t size;
  void const* ptr;
} nvtxMemVirtualRangeDesc_t;
typedef struct nvtxMemHeapDesc_v1 {
  uint16_t extCompatID, structSize;
  uint32_t reserved0;
  uint32_t usage;  // NVTX_MEM_HEAP_USAGE_TYPE_*
  uint32_t type;   // NVTX_MEM_TYPE_*
  size_t typeSpecificDescSize;
  void const* typeSpecificDesc;  // of a virtual address: a nvtxMemVirtualRangeDesc_t
  uint32_t category;
  uint32_t messageType;
  nvtxMessageValue_t message;
} nvtxMemHeapDesc_t;
typedef struct nvtxMemRegionsRegisterBatch_v1 {
  uint16_t extCompatID, structSize;
  uint32_t regionType;
  nvtxMemHeapHandle_t heap;
  size_t regionCount, regionDescElementSize;
  void const* regionDescElements;
  nvtxMemRegionHandle_t* regionHandleElementsOut;  // may be null
} nvtxMemRegionsRegisterBatch_t;
typedef struct nvtxMemRegionsResizeBatch_v1 {
  uint16_t extCompatID, structSize;
  uint32_t regionType;
  size_t regionDescCount, regionDescElementSize;
  void const* regionDescElements;
} nvtxMemRegionsResizeBatch_t;
typedef struct nvtxMemRegionsUnregisterBatch_v1 {
  uint16_t extCompatID, structSize;
  uint32_t refType;  // NVTX_MEM_REGION_REF_TYPE_*
  size_t refCount, refElementSize;
  nvtxMemRegionRef_t const* refElements;
} nvtxMemRegionsUnregisterBatch_t;
typedef struct nvtxMemRegionNameDesc_v1 {
  uint32_t regionRefType, nameType;
  nvtxMemRegionRef_t region;
  nvtxMessageValue_t name;
  uint32_t category, reserved0;
} nvtxMemRegionNameDesc_t;
typedef struct nvtxMemRegionsNameBatch_v1 {
  uint16_t extCompatID, structSize;
  uint32_t reserved0;
  size_t regionCount, regionElementSize;
  nvtxMemRegionNameDesc_t const* regionElements;
  size_t reserved1;
} nvtxMemRegionsNameBatch_t;
typedef struct nvtxMemPermissionsAssignRegionDesc_v1 {
  uint32_t flags;  // NVTX_MEM_PERMISSIONS_REGION_FLAGS_*
  uint32_t regionRefType;
  nvtxMemRegionRef_t region;
} nvtxMemPermissionsAssignRegionDesc_t;
typedef struct nvtxMemPermissionsAssignBatch_v1 {
  uint16_t extCompatID, structSize;
  uint32_t reserved0;
  nvtxMemPermissionsHandle_t permissions;
  size_t regionCount, regionElementSize;
  nvtxMemPermissionsAssignRegionDesc_t const* regionElements;
  size_t reserved1;
} nvtxMemPermissionsAssignBatch_t;
// Used by nvtxMemCudaMarkInitialized.
typedef struct nvtxMemMarkInitializedBatch_v1 {
  uint16_t extCompatID, structSize;
  uint32_t regionType;
  size_t regionDescCount, regionDescElementSize;
  void const* regionDescElements;
} nvtxMemMarkInitializedBatch_t;

// The functions by number (warpwise/nvtx_memory_api.inc). Warpwise's runtime library implements them for programs that
// are checked (src/cuda/runtime/nvtx/nvtx_memory.cpp); otherwise the table is null.
typedef void (*warpwise_nvtx_memory_function)(void);
#ifdef __cplusplus
extern "C"
#else
extern
#endif
    __attribute__((weak)) const warpwise_nvtx_memory_function* warpwise_nvtx_memory(void);

#ifndef WARPWISE_NVTX_MEMORY_TYPES_ONLY
// Not inlined: a finding names the line of the call.
#define WARPWISE_NVTX_MEMORY_CALL(number, result, name, parameters, arguments)                                                 \
  __attribute__((noinline, unused)) static result name parameters {                                                                                    \
    const warpwise_nvtx_memory_function* functions = warpwise_nvtx_memory ? warpwise_nvtx_memory() : 0;                          \
    return functions ? ((result(*) parameters)functions[number])arguments : (result)0;                                          \
  }
#define NVTX_MEMORY WARPWISE_NVTX_MEMORY_CALL
#include "../warpwise/nvtx_memory_api.inc"
#undef NVTX_MEMORY
#endif
