// Virtual memory management on the arena: reserved ranges in which a program maps memory that it has created.
//
// A range is address space of the engine's view without access. Memory is a memfd; mapping it replaces a part of the
// range by the memfd's pages, once or in several places. What is mapped side by side with access counts as one region:
// a copy or a kernel may run across the seams.
//
// Thread-safe.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <shared_mutex>

#include "device/virtual_memory.h"
#include "exec/memory/adopted_pages.h"
#include "exec/memory/arena.h"
#include "exec/memory/shared_pages.h"

namespace warpwise::exec {

class AddressRanges : public device::VirtualMemory, public Arena::Mapped {
 public:
  // `wait` lets all submitted work run.
  AddressRanges(Arena& arena, std::function<device::Status()> wait);
  ~AddressRanges() override;

  size_t granularity() const override { return kGranularity; }
  device::Status reserve(size_t bytes, size_t alignment, device::Address* out) override;
  device::Status free(device::Address base, size_t bytes) override;
  device::Status create(size_t bytes, device::MemoryId* out) override;
  device::Status retain(device::Address address, device::MemoryId* out) override;
  device::Status release(device::MemoryId memory) override;
  device::Status map(device::Address address, size_t bytes, device::MemoryId memory, size_t offset) override;
  device::Status unmap(device::Address address, size_t bytes) override;
  device::Status set_access(device::Address address, size_t bytes, device::Access access) override;
  device::Status get_access(device::Address address, device::Access* out) const override;

  device::Status map_host(void* host, size_t bytes, device::Address* out) override;
  device::Status unmap_host(device::Address base) override;
  // Where the device finds what the host has at an address; the address itself where map_host() knows nothing of it.
  const void* device_view(const void* host) const { return adopted_.device_view(host); }

  device::Status lend(device::Address address, device::SharedMemory* out) override;
  device::Status open_lent(const device::SharedMemory& memory, device::Address* out) override;
  device::Status close_lent(device::Address base) override;
  device::Status file_of(device::MemoryId memory, int* file) override;
  device::Status create_from(int file, device::MemoryId* out) override;

  std::optional<Region> region_at(device::Address address) const override;
  // What goes with a context: host memory that was mapped, and what other processes have lent. Ranges, memory and mappings
  // belong to none, and stay.
  void end_context();

 private:
  static constexpr size_t kGranularity = size_t{2} << 20;  // as on every GPU so far

  struct Memory {
    int fd = -1;
    size_t bytes = 0;
    unsigned owners = 1, mappings = 0;
    bool foreign = false;  // another process made it, and there it counts
  };
  struct Mapping {
    size_t bytes = 0;
    device::MemoryId memory = 0;
    device::Access access = device::Access::None;
  };
  using Mappings = std::map<device::Address, Mapping>;

  // With mutex_ held.
  const std::pair<const device::Address, size_t>* range_around(device::Address address, size_t bytes) const;
  // The mappings that fill [address, address + bytes) exactly; empty when there are none such.
  std::pair<Mappings::iterator, Mappings::iterator> mappings_in(device::Address address, size_t bytes);
  Mappings::const_iterator mapping_at(device::Address address) const;
  // Gives a mapping another access; who watches the device hears of memory that appears or goes.
  void tell_access(device::Address address, Mapping& mapping, device::Access access);
  void clear();
  void drop_if_unused(std::map<device::MemoryId, Memory>::iterator memory);

  Arena& arena_;
  AdoptedPages adopted_;
  SharedPages shared_;
  std::function<device::Status()> wait_;
  mutable std::shared_mutex mutex_;
  std::map<device::Address, size_t> ranges_;  // by base
  Mappings mappings_;
  std::map<device::MemoryId, Memory> memories_;
  device::MemoryId next_ = 1;
};

}  // namespace warpwise::exec
