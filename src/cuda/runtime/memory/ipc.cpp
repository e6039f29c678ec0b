// Memory and events of another process (cudaIpc*, and pools that processes share).
//
// A pool is known to other processes by a file that only says that it is a pool. Its memory is shared piece by piece.
#include <fcntl.h>
#include <unistd.h>

#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"

using namespace warpwise;
using namespace warpwise::cuda;

namespace {

struct EventHandle {
  static constexpr uint64_t kWord = 0x746e657665777701;  // "\1wwevent"
  uint64_t word = kWord;
  FileName name;
  uint32_t flags = 0;
};

constexpr unsigned kLazyEnablePeerAccess = 1;

cudaError_t check_pool_handle(cudaMemAllocationHandleType type, unsigned flags) {
  if (flags != 0) return fail(cudaErrorInvalidValue, "flags {:#x}: no flags are defined", flags);
  if (type != cudaMemHandleTypePosixFileDescriptor)
    return fail(cudaErrorInvalidValue, "handles of type {}: only cudaMemHandleTypePosixFileDescriptor (1) is supported",
                static_cast<unsigned>(type));
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer) {
  return call("cudaIpcGetMemHandle", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!handle || !pointer) return fail(cudaErrorInvalidValue, "an argument is null");
    if (process.pools.owner(reinterpret_cast<device::Address>(pointer)))
      return fail(cudaErrorInvalidValue, "{} is memory of a pool, which cudaMemPoolExportPointer exports", pointer);
    MemoryHandle content;
    CUDA_TRY(lend_memory(gpu, reinterpret_cast<device::Address>(pointer), &content));
    write_handle(handle, content);
    return cudaSuccess;
  });
}

cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned flags) {
  return call("cudaIpcOpenMemHandle", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!pointer) return fail(cudaErrorInvalidValue, "the pointer for the pointer is null");
    if (flags != kLazyEnablePeerAccess)
      return fail(cudaErrorInvalidValue, "flags {:#x}: must be cudaIpcMemLazyEnablePeerAccess (1)", flags);
    const auto content = read_handle<MemoryHandle>(handle);
    if (!content) return fail(cudaErrorInvalidValue, "the handle was not made by cudaIpcGetMemHandle");
    device::Address base = 0;
    CUDA_TRY(process.borrowed.open(gpu, *content, &base));
    *pointer = reinterpret_cast<void*>(base);
    return cudaSuccess;
  });
}

cudaError_t cudaIpcCloseMemHandle(void* pointer) {
  return call("cudaIpcCloseMemHandle", [&](Process& process, device::Device& gpu) {
    return process.borrowed.close(gpu, reinterpret_cast<device::Address>(pointer));
  });
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
  return call("cudaIpcGetEventHandle", [&](Process& process, device::Device&) -> cudaError_t {
    if (!handle) return fail(cudaErrorInvalidValue, "the pointer for the handle is null");
    CUevent_st found;
    CUDA_TRY(process.events.find(event, &found));
    if (!found.shared)
      return fail(cudaErrorInvalidValue,
                  "the event was not created with cudaEventInterprocess | cudaEventDisableTiming");
    EventHandle content;
    content.name = found.shared->name();
    content.flags = found.flags;
    write_handle(handle, content);
    return cudaSuccess;
  });
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle) {
  return call("cudaIpcOpenEventHandle", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!event) return fail(cudaErrorInvalidValue, "the pointer for the event is null");
    const auto content = read_handle<EventHandle>(handle);
    if (!content) return fail(cudaErrorInvalidValue, "the handle was not made by cudaIpcGetEventHandle");
    if (is_own(content->name))
      return fail(cudaErrorDeviceUninitialized, "this process made the handle: it has the event already");
    auto shared = SharedEvent::open(open_foreign(content->name));
    if (!shared)
      return fail(cudaErrorMapBufferObjectFailed, "process {} has ended, has destroyed the event, or is another user's",
                  content->name.process);
    *event = process.events.create(gpu, content->flags, std::move(shared));
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolExportToShareableHandle(void* handle, cudaMemPool_t pool, cudaMemAllocationHandleType type,
                                               unsigned flags) {
  return call("cudaMemPoolExportToShareableHandle", [&](Process& process, device::Device&) -> cudaError_t {
    if (!handle) return fail(cudaErrorInvalidValue, "the pointer for the handle is null");
    CUDA_TRY(process.pools.check(pool));
    CUDA_TRY(check_pool_handle(type, flags));
    int shared = -1;
    CUDA_TRY(process.pools.file_of(pool, &shared));
    const int file = fcntl(shared, F_DUPFD_CLOEXEC, 0);
    if (file < 0) return fail(cudaErrorMemoryAllocation, "the host cannot create a file for the handle");
    std::memcpy(handle, &file, sizeof file);  // the program must close it
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t* pool, void* handle, cudaMemAllocationHandleType type,
                                                 unsigned flags) {
  return call("cudaMemPoolImportFromShareableHandle", [&](Process& process, device::Device&) -> cudaError_t {
    if (!pool) return fail(cudaErrorInvalidValue, "the pointer for the pool is null");
    CUDA_TRY(check_pool_handle(type, flags));
    const int file = static_cast<int>(reinterpret_cast<intptr_t>(handle));
    uint64_t word = 0;
    if (pread(file, &word, sizeof word, 0) != sizeof word || word != kPoolFileWord)
      return fail(cudaErrorInvalidValue, "file {} was not made by cudaMemPoolExportToShareableHandle", file);
    *pool = process.pools.import(name_of(file).inode);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData* data, void* pointer) {
  return call("cudaMemPoolExportPointer", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!data) return fail(cudaErrorInvalidValue, "the pointer for the data is null");
    const cudaMemPool_t pool = process.pools.owner(reinterpret_cast<device::Address>(pointer));
    if (!pool || process.pools.is_imported(pool))
      return fail(cudaErrorInvalidValue, "{} is not memory of a pool of this process", pointer);
    int file = -1;
    CUDA_TRY(process.pools.file_of(pool, &file));
    MemoryHandle content;
    content.pool = process.pools.inode_of(pool);
    CUDA_TRY(lend_memory(gpu, reinterpret_cast<device::Address>(pointer), &content));
    write_handle(data, content);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolImportPointer(void** pointer, cudaMemPool_t pool, cudaMemPoolPtrExportData* data) {
  return call("cudaMemPoolImportPointer", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!pointer || !data) return fail(cudaErrorInvalidValue, "an argument is null");
    CUDA_TRY(process.pools.check(pool));
    if (!process.pools.is_imported(pool)) return fail(cudaErrorInvalidValue, "the pool was not imported");
    const auto content = read_handle<MemoryHandle>(*data);
    if (!content) return fail(cudaErrorInvalidValue, "the data were not made by cudaMemPoolExportPointer");
    if (content->pool != process.pools.inode_of(pool))
      return fail(cudaErrorInvalidValue, "the memory is of another pool");
    device::Address base = 0;
    CUDA_TRY(process.borrowed.open(gpu, *content, &base));
    process.pools.add_imported(pool, base, content->bytes);
    *pointer = reinterpret_cast<void*>(base);
    return cudaSuccess;
  });
}
