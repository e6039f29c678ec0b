// The NVTX memory extension: annotations of the program's own memory, for checkers (device/memory_annotation.h).
//
// There are two entries, as for other functions of NVTX (nvtx.cpp). The header of include/cuda asks
// warpwise_nvtx_memory() for the table of functions. NVIDIA's headers load the library that NVTX_INJECTION64_PATH names
// (`warpwise check` names this one) and call InitializeInjectionNvtxExtension with the table to fill.
//
// The handle of a heap is an object of this library; the handle of a region is its address. What is not checked is
// reported: memory that is not a range of addresses, and permissions that are bound to a stream.
#include <iterator>
#include <string_view>
#include <utility>

#include "cuda/runtime/process.h"
#include "cuda/runtime/types.h"

#define WARPWISE_NVTX_MEMORY_TYPES_ONLY
#include "nvtx3/nvToolsExtMem.h"

namespace warpwise::cuda {
namespace {

using device::MemoryAnnotation;
using Kind = MemoryAnnotation::Kind;

// Null: the program is not checked. The first of these calls may come before any CUDA call.
device::Device* checked_device() {
  device::Device* gpu = Process::instance().device();
  return gpu && gpu->findings() ? gpu : nullptr;
}

void annotate(MemoryAnnotation annotation) {
  if (device::Device* gpu = checked_device()) gpu->annotate(std::move(annotation));
}
void report_unchecked(std::string_view what) {
  if (device::Device* gpu = checked_device()) gpu->findings()->note_unchecked(what);
}

// The program's header determines the distance between elements of a batch.
template <class Element, class Visit>
void for_each_element(const void* elements, size_t count, size_t size, const Visit& visit) {
  const char* at = static_cast<const char*>(elements);
  for (size_t n = 0; at && size >= sizeof(Element) && n < count; ++n, at += size)
    visit(*reinterpret_cast<const Element*>(at));
}
template <class Visit>
void for_each_range(uint32_t type, const void* elements, size_t count, size_t size, const Visit& visit) {
  if (type != NVTX_MEM_TYPE_VIRTUAL_ADDRESS) return report_unchecked("NVTX's regions of arrays");
  for_each_element<nvtxMemVirtualRangeDesc_t>(elements, count, size, visit);
}

uint64_t address_of(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }
// A region's handle is its address.
uint64_t address_of(const nvtxMemRegionRef_t& region) { return address_of(region.pointer); }

// --- pools

struct Heap {
  uint64_t base;
  bool pool;  // otherwise a layout, in which every access is allowed
};

// Heaps are never destroyed: a program may name one that it has unregistered.
const Heap* heap_of(nvtxMemHeapHandle_t handle) { return reinterpret_cast<const Heap*>(handle); }

nvtxMemHeapHandle_t nvtxMemHeapRegister(nvtxDomainHandle_t, nvtxMemHeapDesc_t const* desc) {
  if (!desc || !desc->typeSpecificDesc) return nullptr;
  if (desc->type != NVTX_MEM_TYPE_VIRTUAL_ADDRESS) return report_unchecked("NVTX's heaps of arrays"), nullptr;
  const auto& range = *static_cast<const nvtxMemVirtualRangeDesc_t*>(desc->typeSpecificDesc);
  const bool pool = desc->usage == NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR;
  if (pool) annotate({.kind = Kind::Pool, .base = address_of(range.ptr), .bytes = range.size});
  if (desc->messageType == NVTX_MESSAGE_TYPE_ASCII && desc->message.ascii)
    annotate({.kind = Kind::Name, .base = address_of(range.ptr), .name = desc->message.ascii});
  return reinterpret_cast<nvtxMemHeapHandle_t>(new Heap{address_of(range.ptr), pool});
}
void nvtxMemHeapUnregister(nvtxDomainHandle_t, nvtxMemHeapHandle_t heap) {
  if (const Heap* known = heap_of(heap); known && known->pool) annotate({.kind = Kind::PoolEnds, .base = known->base});
}
void nvtxMemHeapReset(nvtxDomainHandle_t, nvtxMemHeapHandle_t heap) {
  if (const Heap* known = heap_of(heap); known && known->pool) annotate({.kind = Kind::PoolReset, .base = known->base});
}

void nvtxMemRegionsRegister(nvtxDomainHandle_t, nvtxMemRegionsRegisterBatch_t const* desc) {
  if (!desc) return;
  const Heap* heap = heap_of(desc->heap);
  size_t n = 0;
  for_each_range(desc->regionType, desc->regionDescElements, desc->regionCount, desc->regionDescElementSize,
                 [&](const nvtxMemVirtualRangeDesc_t& range) {
                   if (heap && heap->pool)
                     annotate({.kind = Kind::Suballocation, .base = address_of(range.ptr), .bytes = range.size});
                   if (desc->regionHandleElementsOut)
                     desc->regionHandleElementsOut[n++] =
                         reinterpret_cast<nvtxMemRegionHandle_t>(address_of(range.ptr));
                 });
}
void nvtxMemRegionsResize(nvtxDomainHandle_t, nvtxMemRegionsResizeBatch_t const* desc) {
  if (!desc) return;
  for_each_range(desc->regionType, desc->regionDescElements, desc->regionDescCount, desc->regionDescElementSize,
                 [](const nvtxMemVirtualRangeDesc_t& range) {
                   annotate({.kind = Kind::Resize, .base = address_of(range.ptr), .bytes = range.size});
                 });
}
void nvtxMemRegionsUnregister(nvtxDomainHandle_t, nvtxMemRegionsUnregisterBatch_t const* desc) {
  if (!desc) return;
  for_each_element<nvtxMemRegionRef_t>(desc->refElements, desc->refCount, desc->refElementSize,
                                       [](const nvtxMemRegionRef_t& region) {
                                         annotate({.kind = Kind::SuballocationEnds, .base = address_of(region)});
                                       });
}
void nvtxMemRegionsName(nvtxDomainHandle_t, nvtxMemRegionsNameBatch_t const* desc) {
  if (!desc) return;
  for_each_element<nvtxMemRegionNameDesc_t>(
      desc->regionElements, desc->regionCount, desc->regionElementSize, [](const nvtxMemRegionNameDesc_t& named) {
        if (named.nameType != NVTX_MESSAGE_TYPE_ASCII || !named.name.ascii) return;
        Process::instance().checks.named(address_of(named.region), named.name.ascii);
        annotate({.kind = Kind::Name, .base = address_of(named.region), .name = named.name.ascii});
      });
}

// --- permissions

// The permissions of the process, of the device, and those that programs create, which only take effect once bound to a
// stream.
struct Permissions {
  enum class Of : uint8_t { Process, Device, Unbound } of;
  MemoryAnnotation::Scope scope() const {
    return of == Of::Device ? MemoryAnnotation::Scope::Device : MemoryAnnotation::Scope::Process;
  }
};
nvtxMemPermissionsHandle_t handle_of(Permissions::Of of) {
  static const Permissions all[] = {{Permissions::Of::Process}, {Permissions::Of::Device}, {Permissions::Of::Unbound}};
  return reinterpret_cast<nvtxMemPermissionsHandle_t>(const_cast<Permissions*>(&all[size_t(of)]));
}
// The null handle stands for the process (NVTX_MEM_PERMISSIONS_HANDLE_PROCESS_WIDE).
const Permissions& permissions_of(nvtxMemPermissionsHandle_t handle) {
  return *reinterpret_cast<const Permissions*>(handle ? handle : handle_of(Permissions::Of::Process));
}

void nvtxMemPermissionsAssign(nvtxDomainHandle_t, nvtxMemPermissionsAssignBatch_t const* desc) {
  if (!desc) return;
  const Permissions& permissions = permissions_of(desc->permissions);
  if (permissions.of == Permissions::Of::Unbound) return;  // nvtxMemPermissionsBind reports it
  for_each_element<nvtxMemPermissionsAssignRegionDesc_t>(
      desc->regionElements, desc->regionCount, desc->regionElementSize,
      [&](const nvtxMemPermissionsAssignRegionDesc_t& given) {
        const bool reset = given.flags & NVTX_MEM_PERMISSIONS_REGION_FLAGS_RESET;
        static_assert(MemoryAnnotation::kRead == NVTX_MEM_PERMISSIONS_REGION_FLAGS_READ &&
                      MemoryAnnotation::kWrite == NVTX_MEM_PERMISSIONS_REGION_FLAGS_WRITE &&
                      MemoryAnnotation::kAtomic == NVTX_MEM_PERMISSIONS_REGION_FLAGS_ATOMIC);
        annotate({.kind = reset ? Kind::PermissionReset : Kind::Permission,
                  .scope = permissions.scope(),
                  .base = address_of(given.region),
                  .allowed = uint8_t(given.flags & 7)});
      });
}
nvtxMemPermissionsHandle_t nvtxMemPermissionsCreate(nvtxDomainHandle_t, int32_t) {
  return handle_of(Permissions::Of::Unbound);
}
void nvtxMemPermissionsDestroy(nvtxDomainHandle_t, nvtxMemPermissionsHandle_t) {}
void nvtxMemPermissionsReset(nvtxDomainHandle_t, nvtxMemPermissionsHandle_t handle) {
  const Permissions& permissions = permissions_of(handle);
  if (permissions.of != Permissions::Of::Unbound)
    annotate({.kind = Kind::PermissionsForgotten, .scope = permissions.scope()});
}
void nvtxMemPermissionsBind(nvtxDomainHandle_t, nvtxMemPermissionsHandle_t, uint32_t, uint32_t) {
  report_unchecked("permissions that are bound to a stream (nvtxMemPermissionsBind)");
}
void nvtxMemPermissionsUnbind(nvtxDomainHandle_t, uint32_t) {}
nvtxMemPermissionsHandle_t nvtxMemCudaGetProcessWidePermissions(nvtxDomainHandle_t) {
  return handle_of(Permissions::Of::Process);
}
nvtxMemPermissionsHandle_t nvtxMemCudaGetDeviceWidePermissions(nvtxDomainHandle_t, int device) {
  if (device == 0) return handle_of(Permissions::Of::Device);
  report_unchecked("permissions of a device other than the first (nvtxMemCudaGetDeviceWidePermissions)");
  return handle_of(Permissions::Of::Unbound);
}
void nvtxMemCudaSetPeerAccess(nvtxDomainHandle_t, nvtxMemPermissionsHandle_t, int, uint32_t) {
  report_unchecked("permissions of devices (nvtxMemCudaSetPeerAccess)");
}
void nvtxMemCudaMarkInitialized(nvtxDomainHandle_t, cudaStream_t, uint8_t, nvtxMemMarkInitializedBatch_t const* desc) {
  if (!desc) return;
  for_each_range(desc->regionType, desc->regionDescElements, desc->regionDescCount, desc->regionDescElementSize,
                 [](const nvtxMemVirtualRangeDesc_t& range) {
                   annotate({.kind = Kind::Initialised, .base = address_of(range.ptr), .bytes = range.size});
                 });
}

// --- the table

using Any = warpwise_nvtx_memory_function;

struct Slot {
  size_t number;
  Any function;
};
#define SLOT(number, result, name, parameters, arguments) \
  {number, reinterpret_cast<Any>(static_cast<result(*) parameters>(name))},
const Slot kSlots[] = {
#define NVTX_MEMORY SLOT
#define NVTX_MEMORY_CUDA SLOT
#include "warpwise/nvtx_memory_api.inc"
#undef NVTX_MEMORY
#undef NVTX_MEMORY_CUDA
};
#undef SLOT

// NVIDIA's nvtxExtTypes.h: the tables of an extension.
struct Segment {
  size_t id, slots;
  intptr_t* functions;
};
struct ModuleInfo {
  uint16_t nvtx_version, size, module, compatibility;
  size_t segments;
  Segment* first;
};

}  // namespace
}  // namespace warpwise::cuda

using namespace warpwise::cuda;

extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtxExtension(ModuleInfo* module) {
  if (!module || module->module != NVTX_EXT_MODULEID_MEM || module->compatibility != NVTX_EXT_COMPATID_MEM ||
      module->segments < 1 || !checked_device())
    return 0;
  const Segment& segment = *module->first;
  for (const Slot& slot : kSlots)
    if (slot.number < segment.slots) segment.functions[slot.number] = reinterpret_cast<intptr_t>(slot.function);
  return 1;
}

extern "C" __attribute__((visibility("default"))) const warpwise_nvtx_memory_function* warpwise_nvtx_memory() {
  static Any table[std::size(kSlots)];
  static const bool filled = [] {
    for (const Slot& slot : kSlots) table[slot.number] = slot.function;
    return true;
  }();
  return filled && checked_device() ? table : nullptr;
}
