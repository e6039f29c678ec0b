// device::VirtualMemory on the driver: reserved addresses, memory without addresses, and host memory that kernels
// reach. Multicast objects and memory of other processes are refused (R0604).
#pragma once

#include <map>
#include <mutex>
#include <optional>

#include "device/gpu/context.h"
#include "device/virtual_memory.h"

namespace warpwise::device::gpu {

class GpuMemory final : public VirtualMemory {
 public:
  explicit GpuMemory(const Context& context) : context_(context) {}

  // The mapping around an address; Pinned for host memory that kernels reach there.
  std::optional<Allocation> find(Address address) const;
  // Gives back all of it; the context is the thread's.
  void clear();
  // The context has done so.
  void forget() { hosts_.clear(), mapped_.clear(), memory_.clear(), reserved_.clear(); }

  size_t granularity() const override;
  Status reserve(size_t bytes, size_t alignment, Address* out) override;
  Status free(Address base, size_t bytes) override;
  Status create(size_t bytes, unsigned home, MemoryId* out) override;
  Status home_of(MemoryId memory, unsigned* home) const override;
  Status retain(Address address, MemoryId* out) override;
  Status release(MemoryId memory) override;
  Status create_multicast(size_t, unsigned, MemoryId*) override { return no_multicast(); }
  Status join(MemoryId, unsigned) override { return no_multicast(); }
  Status bind(MemoryId, size_t, MemoryId, size_t, size_t) override { return no_multicast(); }
  Status bind_mapped(MemoryId, size_t, Address, size_t) override { return no_multicast(); }
  Status unbind(MemoryId, unsigned, size_t, size_t) override { return no_multicast(); }
  Status map(Address address, size_t bytes, MemoryId memory, size_t offset) override;
  Status unmap(Address address, size_t bytes) override;
  Status set_access(Address address, size_t bytes, Access access) override;
  Status get_access(Address address, Access* out) const override;
  Status map_host(void* host, size_t bytes, Address* out) override;
  Status unmap_host(Address base) override;
  Status lend(Address, SharedMemory*) override { return no_sharing(); }
  Status open_lent(const SharedMemory&, Address*) override { return no_sharing(); }
  Status close_lent(Address) override { return no_sharing(); }
  Status file_of(MemoryId, int*) override { return no_sharing(); }
  Status create_from(int, MemoryId*) override { return no_sharing(); }

 private:
  static Status no_multicast() {
    return {Failure::NotSupported, "R0604: multicast objects are not made on a real GPU yet; the virtual GPU has them"};
  }
  static Status no_sharing() {
    return {Failure::NotSupported,
            "R0604: memory of a real GPU is not shared between processes yet; the virtual GPU shares it"};
  }
  Status memory_of(MemoryId id, CUmemHandle* out) const;
  MemoryRequest request() const;

  const Context& context_;
  mutable std::mutex mutex_;
  std::map<Address, size_t> reserved_, mapped_;
  struct Memory {
    CUmemHandle handle = 0;
    unsigned owners = 1;
  };
  std::map<MemoryId, Memory> memory_;
  struct Host {
    void* memory = nullptr;
    size_t bytes = 0;
  };
  std::map<Address, Host> hosts_;
  MemoryId next_ = 1;
};

}  // namespace warpwise::device::gpu
