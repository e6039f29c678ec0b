#include "device/gpu/gpu_memory.h"

#include <fmt/format.h>

namespace warpwise::device::gpu {

// All of these came together (CUDA 10.2); a driver that lacks one lacks all.
#define WARPWISE_NEED_MAPPING()                                   \
  WARPWISE_NEED(context_.driver(), create_memory, "cuMemCreate"); \
  if (::warpwise::device::Status entered = context_.enter(); !entered.ok()) return entered

std::optional<Allocation> GpuMemory::find(Address address) const {
  std::lock_guard lock(mutex_);
  if (auto next = mapped_.upper_bound(address); next != mapped_.begin())
    if (auto at = std::prev(next); address - at->first < at->second) {
      // Mappings side by side are one range for the program.
      Address first = at->first, end = at->first + at->second;
      for (; at != mapped_.begin() && std::prev(at)->first + std::prev(at)->second == first; --at)
        first = std::prev(at)->first;
      for (; next != mapped_.end() && next->first == end; ++next) end += next->second;
      return Allocation{first, end - first, MemoryKind::Device};
    }
  if (auto next = hosts_.upper_bound(address); next != hosts_.begin())
    if (const auto& [base, host] = *std::prev(next); address - base < host.bytes)
      return Allocation{base, host.bytes, MemoryKind::Pinned};
  return std::nullopt;
}

void GpuMemory::clear() {
  std::lock_guard lock(mutex_);
  const Driver& driver = context_.driver();
  for (const auto& [address, host] : hosts_) (void)driver.unregister_host(host.memory);
  for (const auto& [base, bytes] : mapped_) (void)driver.unmap_memory(base, bytes);
  for (const auto& [id, memory] : memory_)
    for (unsigned i = 0; i < memory.owners; ++i) (void)driver.release_memory(memory.handle);
  for (const auto& [base, bytes] : reserved_) (void)driver.free_addresses(base, bytes);
  hosts_.clear(), mapped_.clear(), memory_.clear(), reserved_.clear();
}

MemoryRequest GpuMemory::request() const {
  MemoryRequest request;
  request.location.id = static_cast<int>(context_.description().ordinal);
  return request;
}

Status GpuMemory::memory_of(MemoryId id, CUmemHandle* out) const {
  std::lock_guard lock(mutex_);
  auto found = memory_.find(id);
  if (found == memory_.end()) return {Failure::InvalidValue, fmt::format("there is no memory {}", id)};
  *out = found->second.handle;
  return {};
}

size_t GpuMemory::granularity() const {
  constexpr size_t kUsual = 2 << 20;
  size_t bytes = 0;
  const MemoryRequest asked = request();
  if (!context_.driver().granularity || !context_.enter().ok()) return kUsual;
  return context_.driver().granularity(&bytes, &asked, 0) == kSuccess && bytes ? bytes : kUsual;
}

Status GpuMemory::reserve(size_t bytes, size_t alignment, Address* out) {
  WARPWISE_NEED_MAPPING();
  CUdeviceptr base = 0;
  Status status = context_.check(context_.driver().reserve(&base, bytes, alignment, 0, 0),
                                 fmt::format("reserving {} bytes of addresses", bytes));
  if (!status.ok()) return status;
  std::lock_guard lock(mutex_);
  reserved_[base] = bytes;
  *out = base;
  return {};
}

Status GpuMemory::free(Address base, size_t bytes) {
  WARPWISE_NEED_MAPPING();
  Status status =
      context_.check(context_.driver().free_addresses(base, bytes), fmt::format("freeing the addresses {:#x}", base));
  std::lock_guard lock(mutex_);
  if (status.ok()) reserved_.erase(base);
  return status;
}

Status GpuMemory::create(size_t bytes, unsigned home, MemoryId* out) {
  WARPWISE_NEED_MAPPING();
  if (home != 0) return {Failure::InvalidValue, fmt::format("there is no device {}: a program has one real GPU", home)};
  CUmemHandle made = 0;
  const MemoryRequest asked = request();
  Status status = context_.check(context_.driver().create_memory(&made, bytes, &asked, 0),
                                 fmt::format("making {} bytes of memory", bytes));
  if (!status.ok()) return status;
  std::lock_guard lock(mutex_);
  *out = next_++;
  memory_[*out] = {made};
  return {};
}

Status GpuMemory::home_of(MemoryId memory, unsigned* home) const {
  CUmemHandle known = 0;
  *home = 0;
  return memory_of(memory, &known);
}

Status GpuMemory::retain(Address address, MemoryId* out) {
  WARPWISE_NEED_MAPPING();
  CUmemHandle found = 0;
  Status status = context_.check(context_.driver().retain_memory(&found, reinterpret_cast<void*>(address)),
                                 fmt::format("taking the memory at {:#x}", address));
  if (!status.ok()) return status;
  std::lock_guard lock(mutex_);
  for (auto& [id, memory] : memory_)
    if (memory.handle == found) {
      ++memory.owners;
      *out = id;
      return {};
    }
  *out = next_++;
  memory_[*out] = {found};
  return {};
}

Status GpuMemory::release(MemoryId id) {
  WARPWISE_NEED_MAPPING();
  CUmemHandle memory = 0;
  if (Status status = memory_of(id, &memory); !status.ok()) return status;
  Status status = context_.check(context_.driver().release_memory(memory), "giving up memory");
  std::lock_guard lock(mutex_);
  if (auto found = memory_.find(id); status.ok() && found != memory_.end() && --found->second.owners == 0)
    memory_.erase(found);
  return status;
}

Status GpuMemory::map(Address address, size_t bytes, MemoryId id, size_t offset) {
  WARPWISE_NEED_MAPPING();
  CUmemHandle memory = 0;
  if (Status status = memory_of(id, &memory); !status.ok()) return status;
  Status status = context_.check(context_.driver().map_memory(address, bytes, offset, memory, 0),
                                 fmt::format("mapping memory at {:#x}", address));
  std::lock_guard lock(mutex_);
  if (status.ok()) mapped_[address] = bytes;
  return status;
}

Status GpuMemory::unmap(Address address, size_t bytes) {
  WARPWISE_NEED_MAPPING();
  if (Status status = context_.check(context_.driver().synchronise(), "waiting for the GPU"); !status.ok())
    return status;
  Status status =
      context_.check(context_.driver().unmap_memory(address, bytes), fmt::format("unmapping {:#x}", address));
  std::lock_guard lock(mutex_);
  if (status.ok()) mapped_.erase(mapped_.lower_bound(address), mapped_.lower_bound(address + bytes));
  return status;
}

Status GpuMemory::set_access(Address address, size_t bytes, Access access) {
  WARPWISE_NEED_MAPPING();
  MemoryAccess wanted{request().location, access == Access::None ? 0 : access == Access::Read ? 1 : 3};
  return context_.check(context_.driver().set_access(address, bytes, &wanted, 1),
                        fmt::format("allowing access to {:#x}", address));
}

Status GpuMemory::get_access(Address address, Access* out) const {
  WARPWISE_NEED_MAPPING();
  unsigned long long flags = 0;
  const MemoryLocation here = request().location;
  Status status = context_.check(context_.driver().get_access(&flags, &here, address),
                                 fmt::format("asking for the access to {:#x}", address));
  *out = flags == 3 ? Access::ReadWrite : flags == 1 ? Access::Read : Access::None;
  return status;
}

Status GpuMemory::map_host(void* host, size_t bytes, Address* out) {
  if (Status status = context_.enter(); !status.ok()) return status;
  const Driver& driver = context_.driver();
  Status status = context_.check(driver.register_host(host, bytes, kHostPortable | kHostMapped),
                                 fmt::format("R0102: registering {} bytes of host memory", bytes));
  if (!status.ok()) return status;
  CUdeviceptr address = 0;
  status = context_.check(driver.host_address(&address, host, 0), "asking for the address of host memory");
  if (!status.ok()) {
    (void)driver.unregister_host(host);
    return status;
  }
  std::lock_guard lock(mutex_);
  hosts_[address] = {host, bytes};
  *out = address;
  return {};
}

Status GpuMemory::unmap_host(Address base) {
  if (Status status = context_.enter(); !status.ok()) return status;
  void* host = nullptr;
  {
    std::lock_guard lock(mutex_);
    auto found = hosts_.find(base);
    if (found == hosts_.end()) return {Failure::InvalidValue, fmt::format("{:#x} is no host memory", base)};
    host = found->second.memory;
    hosts_.erase(found);
  }
  if (Status status = context_.check(context_.driver().synchronise(), "waiting for the GPU"); !status.ok())
    return status;
  return context_.check(context_.driver().unregister_host(host), "giving back host memory");
}

}  // namespace warpwise::device::gpu
