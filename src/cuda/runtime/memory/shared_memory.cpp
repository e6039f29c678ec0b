#include "cuda/runtime/memory/shared_memory.h"

#include "cuda/runtime/process.h"
#include "device/virtual_memory.h"

namespace warpwise::cuda {

namespace {

cudaError_t sharing_of(device::Device& gpu, device::VirtualMemory** out) {
  *out = gpu.virtual_memory();
  return *out ? cudaSuccess
              : fail(cudaErrorNotSupported, "a device that runs in a process of its own shares no memory with others");
}

}  // namespace

cudaError_t lend_memory(device::Device& gpu, device::Address address, MemoryHandle* out) {
  device::VirtualMemory* memory = nullptr;
  CUDA_TRY(sharing_of(gpu, &memory));
  device::SharedMemory lent;
  CUDA_TRY(fail(memory->lend(address, &lent)));
  out->name = name_of(lent.file);
  out->offset = lent.offset;
  out->bytes = lent.bytes;
  return cudaSuccess;
}

cudaError_t BorrowedMemory::open(device::Device& gpu, const MemoryHandle& handle, device::Address* out) {
  device::VirtualMemory* memory = nullptr;
  CUDA_TRY(sharing_of(gpu, &memory));
  if (is_own(handle.name))
    return fail(cudaErrorDeviceUninitialized,
                "this process made the handle: it has the memory already, at the address it gave");
  const OpenFile file = open_foreign(handle.name);
  if (!file)
    return fail(cudaErrorMapBufferObjectFailed, "process {} has ended, has freed the memory, or is another user's",
                handle.name.process);
  std::lock_guard lock(mutex_);
  for (auto& [base, opened] : opened_)
    if (opened.inode == handle.name.inode && opened.offset == handle.offset) {
      ++opened.times;
      *out = base;
      return cudaSuccess;
    }
  device::Address base = 0;
  CUDA_TRY(fail(memory->open_lent({file.get(), handle.offset, handle.bytes}, &base)));
  opened_[base] = {handle.name.inode, handle.offset, 1};
  Process::instance().devices.note_allocated(base);
  *out = base;
  return cudaSuccess;
}

cudaError_t BorrowedMemory::close(device::Device& gpu, device::Address base) {
  std::lock_guard lock(mutex_);
  auto found = opened_.find(base);
  if (found == opened_.end())
    return fail(cudaErrorInvalidValue, "{:#x} is not memory that another process has shared", base);
  if (--found->second.times) return cudaSuccess;
  opened_.erase(found);
  Process::instance().devices.note_freed(base);
  return fail(gpu.virtual_memory()->close_lent(base));
}

void BorrowedMemory::forget_all() {
  std::lock_guard lock(mutex_);
  opened_.clear();
}

}  // namespace warpwise::cuda
