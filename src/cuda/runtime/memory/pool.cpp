// cudaMallocAsync, cudaFreeAsync and memory pools.
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/memory/pools.h"

namespace warpwise::cuda {

Pools::Pools() : default_(std::make_unique<CUmemPoolHandle_st>()), current_(default_.get()) {}

bool Pools::known(cudaMemPool_t pool) const {
  if (pool == default_.get()) return true;
  auto found = created_.find(pool);
  return found != created_.end() && !found->second->condemned;
}

cudaError_t Pools::check(cudaMemPool_t pool) const {
  std::lock_guard lock(mutex_);
  if (known(pool)) return cudaSuccess;
  return fail(cudaErrorInvalidValue, "the pool was never created, or it has been destroyed");
}

cudaMemPool_t Pools::current() const {
  std::lock_guard lock(mutex_);
  return current_;
}

cudaError_t Pools::make_current(cudaMemPool_t pool) {
  CUDA_TRY(check(pool));
  std::lock_guard lock(mutex_);
  current_ = pool;
  return cudaSuccess;
}

cudaMemPool_t Pools::create(uint64_t max_size, bool shareable) {
  auto owned = std::make_unique<CUmemPoolHandle_st>();
  owned->max_size = max_size;
  owned->shareable = shareable;
  std::lock_guard lock(mutex_);
  cudaMemPool_t pool = owned.get();
  created_.emplace(pool, std::move(owned));
  return pool;
}

cudaMemPool_t Pools::import(uint64_t inode) {
  cudaMemPool_t pool = create(0, false);
  pool->imported = true;
  pool->inode = inode;
  return pool;
}

cudaError_t Pools::file_of(cudaMemPool_t pool, int* file) {
  CUDA_TRY(check(pool));
  std::lock_guard lock(mutex_);
  if (!pool->shareable) return fail(cudaErrorInvalidValue, "the pool was created without a type of handle");
  if (!pool->file) {
    OpenFile made(memfd_create("warpwise-pool", MFD_CLOEXEC));
    if (!made || write(made.get(), &kPoolFileWord, sizeof kPoolFileWord) != sizeof kPoolFileWord)
      return fail(cudaErrorMemoryAllocation, "the host cannot create a file for the handle");
    pool->inode = name_of(made.get()).inode;
    pool->file = std::move(made);
  }
  *file = pool->file.get();
  return cudaSuccess;
}

uint64_t Pools::inode_of(cudaMemPool_t pool) const {
  std::lock_guard lock(mutex_);
  return known(pool) ? pool->inode : 0;
}

bool Pools::is_imported(cudaMemPool_t pool) const {
  std::lock_guard lock(mutex_);
  return known(pool) && pool->imported;
}

cudaError_t Pools::destroy(cudaMemPool_t pool) {
  if (pool == default_.get()) return fail(cudaErrorInvalidValue, "the default pool cannot be destroyed");
  CUDA_TRY(check(pool));
  std::lock_guard lock(mutex_);
  if (current_ == pool) current_ = default_.get();
  if (pool->used)
    pool->condemned = true;
  else
    created_.erase(pool);
  return cudaSuccess;
}

namespace {

// The reuse attributes are ints, the size attributes 64-bit numbers.
bool is_flag(cudaMemPoolAttr attribute) { return attribute <= cudaMemPoolReuseAllowInternalDependencies; }

cudaError_t check_attribute(cudaMemPoolAttr attribute, const void* value) {
  if (!value) return fail(cudaErrorInvalidValue, "the value is null");
  if (attribute < cudaMemPoolReuseFollowEventDependencies || attribute > cudaMemPoolAttrUsedMemHigh)
    return fail(cudaErrorInvalidValue, "{} is not an attribute of pools", static_cast<unsigned>(attribute));
  return cudaSuccess;
}

}  // namespace

cudaError_t Pools::get(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) const {
  CUDA_TRY(check_attribute(attribute, value));
  CUDA_TRY(check(pool));
  std::lock_guard lock(mutex_);
  uint64_t answer = pool->attributes[attribute];
  // Unused memory is not kept, so reserved and used are the same.
  if (attribute == cudaMemPoolAttrReservedMemCurrent || attribute == cudaMemPoolAttrUsedMemCurrent) answer = pool->used;
  int flag = static_cast<int>(answer);
  if (is_flag(attribute))
    std::memcpy(value, &flag, sizeof flag);
  else
    std::memcpy(value, &answer, sizeof answer);
  return cudaSuccess;
}

cudaError_t Pools::set(cudaMemPool_t pool, cudaMemPoolAttr attribute, const void* value) {
  CUDA_TRY(check_attribute(attribute, value));
  CUDA_TRY(check(pool));
  int flag = 0;
  uint64_t number = 0;
  if (is_flag(attribute))
    std::memcpy(&flag, value, sizeof flag);
  else
    std::memcpy(&number, value, sizeof number);
  bool high_mark = attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh;
  if (attribute == cudaMemPoolAttrReservedMemCurrent || attribute == cudaMemPoolAttrUsedMemCurrent)
    return fail(cudaErrorInvalidValue, "the current use of a pool cannot be set");
  if (high_mark && number != 0) return fail(cudaErrorInvalidValue, "a high-water mark can only be set to 0");
  std::lock_guard lock(mutex_);
  pool->attributes[attribute] = is_flag(attribute) ? flag != 0 : high_mark ? pool->used : number;
  return cudaSuccess;
}

void Pools::account(cudaMemPool_t pool, uint64_t used) {
  pool->used = used;
  for (auto high : {cudaMemPoolAttrReservedMemHigh, cudaMemPoolAttrUsedMemHigh})
    pool->attributes[high] = std::max(pool->attributes[high], used);
}

cudaError_t Pools::allocate(device::Device& gpu, cudaMemPool_t pool, size_t size, device::StreamId stream,
                            void** pointer) {
  CUDA_TRY(check(pool));
  if (!pointer) return fail(cudaErrorInvalidValue, "the pointer for the pointer is null");
  if (size == 0) {
    *pointer = nullptr;
    return cudaSuccess;
  }
  std::lock_guard lock(mutex_);
  if (pool->imported) return fail(cudaErrorInvalidValue, "only the process that made the pool can allocate from it");
  if (pool->max_size && (size > pool->max_size || pool->used > pool->max_size - size))
    return fail(cudaErrorMemoryAllocation, "the pool may hold {} bytes and {} are in use", pool->max_size, pool->used);
  device::Address base = 0;
  CUDA_TRY(fail(gpu.allocate(size, device::MemoryKind::Device, &base)));
  allocations_[base] = {pool, size};
  account(pool, pool->used + size);
  *pointer = reinterpret_cast<void*>(base);
  Process& process = Process::instance();
  process.checks.allocated(base, size);
  process.devices.note_allocated(base);
  return process.checks.on() ? fail(gpu.submit(stream, device::Lifetime{base, size})) : cudaSuccess;
}

cudaError_t Pools::free(device::Device& gpu, void* pointer, std::optional<device::StreamId> stream) {
  auto base = reinterpret_cast<device::Address>(pointer);
  if (is_imported(owner(base))) {
    CUDA_TRY(Process::instance().borrowed.close(gpu, base));
    note_freed(base);
    return cudaSuccess;
  }
  {
    std::lock_guard lock(mutex_);
    auto allocation = gpu.find_allocation(base);
    bool whole =
        allocation && allocation->base == base && allocation->kind == device::MemoryKind::Device;  // cudaMalloc's, too
    if (!allocations_.contains(base) && !whole)
      return Process::instance().checks.misused(
          "C0503", pointer,
          fail(cudaErrorInvalidValue, "{} was not returned by cudaMallocAsync, or was freed before", pointer));
  }
  CUDA_TRY(fail(gpu.free_in_order(stream, base)));
  Process::instance().checks.freed(base);
  Process::instance().devices.note_freed(base);
  note_freed(base);
  return cudaSuccess;
}

cudaMemPool_t Pools::owner(device::Address base) const {
  std::lock_guard lock(mutex_);
  auto found = allocations_.find(base);
  return found == allocations_.end() ? nullptr : found->second.pool;
}

void Pools::add_imported(cudaMemPool_t pool, device::Address base, size_t size) {
  std::lock_guard lock(mutex_);
  Allocation& allocation = allocations_[base];
  if (allocation.imports == 0) account(pool, pool->used + size);
  allocation = {pool, size, allocation.imports + 1};
}

void Pools::note_freed(device::Address base) {
  std::lock_guard lock(mutex_);
  auto found = allocations_.find(base);
  if (found == allocations_.end()) return;
  if (found->second.imports > 1) {
    --found->second.imports;
    return;
  }
  auto [pool, size, imports] = found->second;
  allocations_.erase(found);
  account(pool, pool->used - size);
  if (pool->condemned && pool->used == 0) created_.erase(pool);
}

void Pools::forget_all() {
  std::lock_guard lock(mutex_);
  allocations_.clear();
  created_.clear();
  *default_ = CUmemPoolHandle_st();
  current_ = default_.get();
}

}  // namespace warpwise::cuda

using namespace warpwise;
using namespace warpwise::cuda;

namespace {

// cudaMallocAsync in a stream that is being captured makes an allocation node.
cudaError_t capture_allocation(Process& process, device::Device& gpu, device::StreamId stream, size_t size,
                               void** pointer) {
  if (!pointer) return fail(cudaErrorInvalidValue, "the pointer for the pointer is null");
  if (size == 0) return fail(cudaErrorInvalidValue, "an allocation of 0 bytes in a graph");
  std::lock_guard lock(process.graphs.mutex);
  cudaError_t error = cudaSuccess;
  AllocateWork work;
  work.memory = process.graphs.allocate(gpu, size, &error);
  CUDA_TRY(error);
  *pointer = reinterpret_cast<void*>(work.memory->address);
  work.description.poolProps.allocType = cudaMemAllocationTypePinned;
  work.description.poolProps.location.type = cudaMemLocationTypeDevice;
  work.description.bytesize = size;
  work.description.dptr = *pointer;
  GraphNode* node = nullptr;
  return process.captures.add(stream, std::move(work), &node);
}

cudaError_t give_pool(const char* function, cudaMemPool_t* out, int device, cudaMemPool_t (Pools::*which)() const) {
  return call(function, [&](Process& process, device::Device&) -> cudaError_t {
    if (!out) return fail(cudaErrorInvalidValue, "the pointer for the pool is null");
    CUDA_TRY(require_device(device));
    *out = (process.pools.*which)();
    return cudaSuccess;
  });
}

// CUDA 13 names a pool by a location and a type of allocation. Here there are device pools, for pinned memory.
cudaError_t check_place(const cudaMemLocation* location, cudaMemAllocationType type) {
  if (!location) return fail(cudaErrorInvalidValue, "the location is null");
  if (location->type == cudaMemLocationTypeInvalid || type == cudaMemAllocationTypeInvalid)
    return fail(cudaErrorInvalidValue, "a location of type {} for allocations of type {}",
                static_cast<int>(location->type), static_cast<int>(type));
  if (location->type != cudaMemLocationTypeDevice || type != cudaMemAllocationTypePinned)
    return fail(cudaErrorNotSupported, "only devices have pools, for pinned memory");
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, cudaMemLocation* location, cudaMemAllocationType type) {
  CUDA_TRY(call_without_device("cudaMemGetDefaultMemPool", [&] { return check_place(location, type); }));
  return give_pool("cudaMemGetDefaultMemPool", pool, location->id, &Pools::default_pool);
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t* pool, cudaMemLocation* location, cudaMemAllocationType type) {
  CUDA_TRY(call_without_device("cudaMemGetMemPool", [&] { return check_place(location, type); }));
  return give_pool("cudaMemGetMemPool", pool, location->id, &Pools::current);
}

cudaError_t cudaMemSetMemPool(cudaMemLocation* location, cudaMemAllocationType type, cudaMemPool_t pool) {
  return call("cudaMemSetMemPool", [&](Process& process, device::Device&) -> cudaError_t {
    CUDA_TRY(check_place(location, type));
    CUDA_TRY(require_device(location->id));
    return process.pools.make_current(pool);
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return give_pool("cudaDeviceGetDefaultMemPool", pool, device, &Pools::default_pool);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return give_pool("cudaDeviceGetMemPool", pool, device, &Pools::current);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return call("cudaDeviceSetMemPool", [&](Process& process, device::Device&) -> cudaError_t {
    CUDA_TRY(require_device(device));
    return process.pools.make_current(pool);
  });
}

cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t stream) {
  return call("cudaMallocAsync", [&](Process& process, device::Device& gpu) -> cudaError_t {
    device::StreamId id;
    CUDA_TRY(process.streams.find(gpu, stream, &id));
    if (process.captures.is_capturing(id)) return capture_allocation(process, gpu, id, size, pointer);
    return process.pools.allocate(gpu, process.pools.current(), size, id, pointer);
  });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return call("cudaMallocFromPoolAsync", [&](Process& process, device::Device& gpu) -> cudaError_t {
    device::StreamId id;
    CUDA_TRY(process.streams.find(gpu, stream, &id));
    CUDA_TRY(process.pools.check(pool));
    if (process.captures.is_capturing(id)) return capture_allocation(process, gpu, id, size, pointer);
    return process.pools.allocate(gpu, pool, size, id, pointer);
  });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  Process::instance().checks.free_requested(pointer);
  return call("cudaFreeAsync", [&](Process& process, device::Device& gpu) -> cudaError_t {
    device::StreamId id;
    CUDA_TRY(process.streams.find(gpu, stream, &id));
    if (!pointer) return cudaSuccess;
    if (process.captures.is_capturing(id)) {
      if (!process.graphs.find_memory(reinterpret_cast<device::Address>(pointer)))
        return fail(cudaErrorInvalidValue, "{} was not allocated in a graph; a capture can only free what is", pointer);
      GraphNode* node = nullptr;
      return process.captures.add(id, FreeWork{pointer}, &node);
    }
    if (auto memory = process.graphs.freed_by_program(reinterpret_cast<device::Address>(pointer)))
      return process.checks.on() ? fail(gpu.submit(id, device::Lifetime{memory->address, memory->size, true}))
                                 : cudaSuccess;
    return process.pools.free(gpu, pointer, id);
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return call("cudaMemPoolCreate", [&](Process& process, device::Device&) -> cudaError_t {
    if (!pool || !properties) return fail(cudaErrorInvalidValue, "an argument is null");
    if (properties->handleTypes != cudaMemHandleTypeNone &&
        properties->handleTypes != cudaMemHandleTypePosixFileDescriptor)
      return fail(cudaErrorNotSupported,
                  "processes share pools through file descriptors here, and through no other type of handle");
    if (properties->allocType != cudaMemAllocationTypePinned)
      return fail(properties->allocType == cudaMemAllocationTypeManaged ? cudaErrorNotSupported : cudaErrorInvalidValue,
                  "pools hold cudaMemAllocationTypePinned memory");
    if (properties->location.type != cudaMemLocationTypeDevice)
      return fail(cudaErrorNotSupported, "pools of host memory are not supported yet");
    CUDA_TRY(require_device(properties->location.id));
    *pool = process.pools.create(properties->maxSize, properties->handleTypes != cudaMemHandleTypeNone);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return call("cudaMemPoolDestroy", [&](Process& process, device::Device&) { return process.pools.destroy(pool); });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return call("cudaMemPoolTrimTo", [&](Process& process, device::Device&) { return process.pools.check(pool); });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return call("cudaMemPoolGetAttribute",
              [&](Process& process, device::Device&) { return process.pools.get(pool, attribute, value); });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return call("cudaMemPoolSetAttribute",
              [&](Process& process, device::Device&) { return process.pools.set(pool, attribute, value); });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
  return call("cudaMemPoolGetAccess", [&](Process& process, device::Device&) -> cudaError_t {
    if (!flags || !location) return fail(cudaErrorInvalidValue, "an argument is null");
    CUDA_TRY(process.pools.check(pool));
    if (location->type != cudaMemLocationTypeDevice || require_device(location->id) != cudaSuccess)
      return fail(cudaErrorInvalidValue, "location {} of type {} is not a device", location->id,
                  static_cast<unsigned>(location->type));
    *flags = location->id == 0 ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
  });
}

// The pool's own device always has access, and no other device exists.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* descriptors, size_t count) {
  return call("cudaMemPoolSetAccess", [&](Process& process, device::Device&) -> cudaError_t {
    CUDA_TRY(process.pools.check(pool));
    if (count && !descriptors) return fail(cudaErrorInvalidValue, "the list is null");
    for (size_t i = 0; i < count; ++i) {
      CUDA_TRY(require_device(descriptors[i].location.id));
      if (descriptors[i].flags != cudaMemAccessFlagsProtReadWrite)
        return fail(cudaErrorInvalidValue, "a pool's own device keeps its access");
    }
    return cudaSuccess;
  });
}
