// Pinned host memory: allocating, registering, looking up.
#include <cstring>

#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/memory/host_ranges.h"
#include "cuda/runtime/memory/places.h"
#include "device/virtual_memory.h"

namespace warpwise::cuda {

bool HostRanges::add(HostRange range) {
  std::lock_guard lock(mutex_);
  auto next = ranges_.lower_bound(range.base);
  if (next != ranges_.end() && next->first - range.base < range.size) return false;
  if (next != ranges_.begin()) {
    const HostRange& previous = std::prev(next)->second;
    if (range.base - previous.base < previous.size) return false;
  }
  ranges_.emplace_hint(next, range.base, range);
  if (range.registered) ++registered_;
  return true;
}

std::optional<HostRange> HostRanges::remove(const void* base, bool registered) {
  std::lock_guard lock(mutex_);
  auto found = ranges_.find(reinterpret_cast<uintptr_t>(base));
  if (found == ranges_.end() || found->second.registered != registered) return std::nullopt;
  HostRange range = found->second;
  ranges_.erase(found);
  if (registered) --registered_;
  return range;
}

std::optional<HostRange> HostRanges::find(const void* pointer) const {
  auto address = reinterpret_cast<uintptr_t>(pointer);
  std::lock_guard lock(mutex_);
  auto next = ranges_.upper_bound(address);
  if (next == ranges_.begin()) return std::nullopt;
  const HostRange& range = std::prev(next)->second;
  if (address - range.base >= range.size) return std::nullopt;
  return range;
}

void HostRanges::forget_allocations() {
  std::lock_guard lock(mutex_);
  std::erase_if(ranges_, [](const auto& entry) { return !entry.second.registered; });
  for (auto& [base, range] : ranges_) range.device = 0;
}

std::optional<HostRange> HostRanges::find_on_device(device::Address address) const {
  if (registered_ == 0) return std::nullopt;
  std::lock_guard lock(mutex_);
  for (const auto& [base, range] : ranges_)
    if (range.device && address >= range.device && address - range.device < range.size) return range;
  return std::nullopt;
}

device::Status HostRanges::reach(device::Device& gpu, const void* host, device::Address* out) {
  const auto range = find(host);
  if (!range || !range->registered) return {device::Failure::InvalidValue, "the memory is not registered"};
  device::Address base = range->device;
  if (base == 0) {
    device::VirtualMemory* memory = gpu.virtual_memory();
    if (!memory)
      return {device::Failure::NotSupported,
              "this device cannot access the host's memory; use memory from cudaHostAlloc"};
    if (device::Status status = memory->map_host(reinterpret_cast<void*>(range->base), range->size, &base);
        !status.ok())
      return status;
    std::lock_guard lock(mutex_);
    if (auto found = ranges_.find(range->base); found != ranges_.end()) found->second.device = base;
  }
  *out = base + (reinterpret_cast<uintptr_t>(host) - range->base);
  return device::Status::success();
}

device::Status HostRanges::put_on_device(device::Device& gpu, std::span<std::byte> arguments) {
  if (registered_ == 0) return device::Status::success();
  for (size_t at = 0; at + sizeof(device::Address) <= arguments.size(); at += alignof(device::Address)) {
    device::Address word;
    std::memcpy(&word, arguments.data() + at, sizeof word);
    const void* pointer = reinterpret_cast<const void*>(word);
    if (const auto range = find(pointer); !range || !range->registered) continue;
    if (device::Status status = reach(gpu, pointer, &word); !status.ok()) return status;
    std::memcpy(arguments.data() + at, &word, sizeof word);
  }
  return device::Status::success();
}

}  // namespace warpwise::cuda

using namespace warpwise;
using namespace warpwise::cuda;

namespace {

constexpr unsigned kHostAllocKnown = 7;       // portable 1, mapped 2, write-combined 4
constexpr unsigned kHostRegisterKnown = 0xf;  // portable 1, mapped 2, I/O memory 4, read-only 8
constexpr unsigned kHostRegisterIoMemory = 4;
constexpr unsigned kHostAllocMapped = 2;

cudaError_t allocate_host(const char* function, void** pointer, size_t size, unsigned flags) {
  return call(function, [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!pointer) return fail(cudaErrorInvalidValue, "the pointer for the pointer is null");
    if (flags & ~kHostAllocKnown) return fail(cudaErrorInvalidValue, "flags {:#x} are not defined", flags);
    if (size == 0) {
      *pointer = nullptr;
      return cudaSuccess;
    }
    CUDA_TRY(process.captures.allow_unsafe());
    device::Address base = 0;
    CUDA_TRY(fail(gpu.allocate(size, device::MemoryKind::Pinned, &base)));
    // All pinned memory is mapped: there is one address space.
    process.host_ranges.add({base, size, flags | kHostAllocMapped, false});
    process.checks.allocated(base, size);
    process.devices.note_allocated(base);
    *pointer = reinterpret_cast<void*>(base);
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaMallocHost(void** pointer, size_t size) { return allocate_host("cudaMallocHost", pointer, size, 0); }

cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned flags) {
  return allocate_host("cudaHostAlloc", pointer, size, flags);
}

cudaError_t cudaFreeHost(void* pointer) {
  Process::instance().checks.free_requested(pointer);
  return call("cudaFreeHost", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!pointer) return cudaSuccess;
    CUDA_TRY(process.captures.allow_unsafe());
    if (!process.host_ranges.remove(pointer, /*registered=*/false))
      return process.checks.misused("C0503", pointer,
                                    fail(cudaErrorInvalidValue,
                                         "{} was not returned by cudaMallocHost or cudaHostAlloc, or was "
                                         "freed before",
                                         pointer));
    CUDA_TRY(fail(gpu.free(reinterpret_cast<device::Address>(pointer))));
    process.checks.freed(reinterpret_cast<device::Address>(pointer));
    process.devices.note_freed(reinterpret_cast<device::Address>(pointer));
    return cudaSuccess;
  });
}

cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned flags) {
  return call("cudaHostRegister", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!pointer || size == 0) return fail(cudaErrorInvalidValue, "an empty range");
    if (flags & ~kHostRegisterKnown) return fail(cudaErrorInvalidValue, "flags {:#x} are not defined", flags);
    if (flags & kHostRegisterIoMemory)
      return fail(cudaErrorNotSupported, "cudaHostRegisterIoMemory: there are no other devices");
    auto base = reinterpret_cast<device::Address>(pointer);
    if (gpu.find_allocation(base)) return fail(cudaErrorInvalidValue, "{} is memory of the device already", pointer);
    if (!process.host_ranges.add({base, size, flags, true}))
      return fail(cudaErrorHostMemoryAlreadyRegistered, "the range overlaps one that is registered");
    // The checkers compare copies with host accesses where the device can observe the memory. Some memory it cannot
    // observe (adopted_pages.h).
    if (device::Address address = 0; process.checks.on()) (void)process.host_ranges.reach(gpu, pointer, &address);
    return cudaSuccess;
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return call("cudaHostUnregister", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!pointer) return fail(cudaErrorInvalidValue, "the pointer is null");
    const auto range = process.host_ranges.remove(pointer, /*registered=*/true);
    if (!range) {
      bool known = process.host_ranges.find(pointer).has_value() || locate(process, gpu, pointer).allocation;
      if (known)
        return fail(cudaErrorInvalidValue, "{} is in memory that CUDA knows, and starts no registered range", pointer);
      return fail(cudaErrorHostMemoryNotRegistered, "{} does not start a registered range", pointer);
    }
    process.checks.waited_for_all();
    return fail(range->device ? gpu.virtual_memory()->unmap_host(range->device)
                              : gpu.wait_all());  // copies may still use it
  });
}

cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* host, unsigned flags) {
  return call("cudaHostGetDevicePointer", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!device_pointer || flags)
      return fail(cudaErrorInvalidValue, "the result pointer is null, or the flags are not 0");
    auto range = process.host_ranges.find(host);
    if (!range) return fail(cudaErrorInvalidValue, "{} is not pinned memory", host);
    auto address = reinterpret_cast<device::Address>(host);
    if (range->registered) CUDA_TRY(fail(process.host_ranges.reach(gpu, host, &address)));
    *device_pointer = reinterpret_cast<void*>(address);
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  return call("cudaHostGetFlags", [&](Process& process, device::Device&) -> cudaError_t {
    if (!flags) return fail(cudaErrorInvalidValue, "the pointer for the flags is null");
    auto range = process.host_ranges.find(host);
    if (!range) return fail(cudaErrorInvalidValue, "{} is not pinned memory", host);
    *flags = range->flags;
    return cudaSuccess;
  });
}
