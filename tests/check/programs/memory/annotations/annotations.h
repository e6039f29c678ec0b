// What the programs about NVTX's memory extension say by it, in a line each.
#pragma once

#include <nvtx3/nvToolsExtMem.h>
#include <nvtx3/nvToolsExtMemCudaRt.h>

inline nvtxDomainHandle_t domain() {
  static nvtxDomainHandle_t made = nvtxDomainCreateA("tests");
  return made;
}

inline nvtxMemHeapHandle_t pool(void* base, size_t bytes, uint32_t usage = NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR) {
  nvtxMemVirtualRangeDesc_t range = {};
  range.size = bytes, range.ptr = base;
  nvtxMemHeapDesc_t heap = {};
  heap.extCompatID = NVTX_EXT_COMPATID_MEM, heap.structSize = sizeof heap;
  heap.usage = usage, heap.type = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
  heap.typeSpecificDescSize = sizeof range, heap.typeSpecificDesc = &range;
  return nvtxMemHeapRegister(domain(), &heap);
}

template <class T>
T* suballocate(nvtxMemHeapHandle_t heap, T* base, size_t bytes) {
  nvtxMemVirtualRangeDesc_t range = {};
  range.size = bytes, range.ptr = base;
  nvtxMemRegionsRegisterBatch_t batch = {};
  batch.extCompatID = NVTX_EXT_COMPATID_MEM, batch.structSize = sizeof batch;
  batch.regionType = NVTX_MEM_TYPE_VIRTUAL_ADDRESS, batch.heap = heap;
  batch.regionCount = 1, batch.regionDescElementSize = sizeof range, batch.regionDescElements = &range;
  nvtxMemRegionsRegister(domain(), &batch);
  return base;
}

inline void resize(void* base, size_t bytes) {
  nvtxMemVirtualRangeDesc_t range = {};
  range.size = bytes, range.ptr = base;
  nvtxMemRegionsResizeBatch_t batch = {};
  batch.extCompatID = NVTX_EXT_COMPATID_MEM, batch.structSize = sizeof batch;
  batch.regionType = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
  batch.regionDescCount = 1, batch.regionDescElementSize = sizeof range, batch.regionDescElements = &range;
  nvtxMemRegionsResize(domain(), &batch);
}

inline void give_back(void* base) {
  nvtxMemRegionRef_t region;
  region.pointer = base;
  nvtxMemRegionsUnregisterBatch_t batch = {};
  batch.extCompatID = NVTX_EXT_COMPATID_MEM, batch.structSize = sizeof batch;
  batch.refType = NVTX_MEM_REGION_REF_TYPE_POINTER;
  batch.refCount = 1, batch.refElementSize = sizeof region, batch.refElements = &region;
  nvtxMemRegionsUnregister(domain(), &batch);
}

inline void permit(void* base, uint32_t flags) {
  nvtxMemPermissionsAssignRegionDesc_t given = {};
  given.flags = flags, given.regionRefType = NVTX_MEM_REGION_REF_TYPE_POINTER, given.region.pointer = base;
  nvtxMemPermissionsAssignBatch_t batch = {};
  batch.extCompatID = NVTX_EXT_COMPATID_MEM, batch.structSize = sizeof batch;
  batch.permissions = nvtxMemCudaGetProcessWidePermissions(domain());
  batch.regionCount = 1, batch.regionElementSize = sizeof given, batch.regionElements = &given;
  nvtxMemPermissionsAssign(domain(), &batch);
}

inline void mark_written(void* base, size_t bytes) {
  nvtxMemVirtualRangeDesc_t range = {};
  range.size = bytes, range.ptr = base;
  nvtxMemMarkInitializedBatch_t batch = {};
  batch.extCompatID = NVTX_EXT_COMPATID_MEM, batch.structSize = sizeof batch;
  batch.regionType = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
  batch.regionDescCount = 1, batch.regionDescElementSize = sizeof range, batch.regionDescElements = &range;
  nvtxMemCudaMarkInitialized(domain(), 0, 0, &batch);
}
