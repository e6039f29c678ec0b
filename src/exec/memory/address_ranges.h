// Virtual memory management on the arena: reserved ranges in which a program maps memory that it has created.
//
// A range is address space of the engine's view without access. Memory is a memfd; mapping it replaces a part of the
// range by the memfd's pages, once or in several places. What is mapped side by side with access counts as one region:
// a copy or a kernel may run across the seams. Where a multicast object is mapped the range stays without access:
// multimem instructions ask copy_at() for the copies.
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
#include "exec/memory/multicast.h"
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
  device::Status create(size_t bytes, unsigned home, device::MemoryId* out) override;
  device::Status home_of(device::MemoryId memory, unsigned* home) const override;
  device::Status retain(device::Address address, device::MemoryId* out) override;
  device::Status release(device::MemoryId memory) override;
  device::Status create_multicast(size_t bytes, unsigned devices, device::MemoryId* out) override;
  device::Status join(device::MemoryId multicast, unsigned device) override;
  device::Status bind(device::MemoryId multicast, size_t offset, device::MemoryId memory, size_t memory_offset,
                      size_t bytes) override;
  device::Status bind_mapped(device::MemoryId multicast, size_t offset, device::Address address, size_t bytes) override;
  device::Status unbind(device::MemoryId multicast, unsigned device, size_t offset, size_t bytes) override;
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
  Arena::Copy copy_at(device::Address address, size_t bytes, bool writes, unsigned index) const override;
  // What goes with a context: host memory that was mapped, and what other processes have lent. Ranges, memory and
  // mappings belong to none, and stay.
  void end_context();

 private:
  static constexpr size_t kGranularity = size_t{2} << 20;  // as on every GPU so far

  struct Memory {
    int fd = -1;
    size_t bytes = 0;
    unsigned owners = 1, mappings = 0;
    bool foreign = false;  // another process made it, and there it counts
    unsigned home = 0;
    std::shared_ptr<Multicast> multicast = nullptr;  // null: it is memory, a file
  };
  struct Mapping {
    size_t bytes = 0;
    device::MemoryId memory = 0;
    device::Access access = device::Access::None;
    size_t offset = 0;  // of its first byte in the memory
  };
  using Mappings = std::map<device::Address, Mapping>;

  // With mutex_ held.
  const std::pair<const device::Address, size_t>* range_around(device::Address address, size_t bytes) const;
  // The mappings that fill [address, address + bytes) exactly; empty when there are none such.
  std::pair<Mappings::iterator, Mappings::iterator> mappings_in(device::Address address, size_t bytes);
  static Mappings::const_iterator find_in(const Mappings& mappings, device::Address address);
  Mappings::const_iterator mapping_at(device::Address address) const { return find_in(mappings_, address); }
  // Gives a mapping another access. Memory that appears or goes is reported to the observer.
  void change_access(device::Address address, Mapping& mapping, device::Access access);
  void clear();
  using Memories = std::map<device::MemoryId, Memory>;
  void drop_if_unused(Memories::iterator memory);
  device::Status find_multicast(device::MemoryId id, Memories::iterator* out);
  // Addresses of the engine's at which bound memory lies; and their end.
  device::Status open_window(const Memory& memory, size_t offset, size_t bytes, device::Address* out);
  void close_window(const Multicast::Binding& binding);

  Arena& arena_;
  AdoptedPages adopted_;
  SharedPages shared_;
  std::function<device::Status()> wait_;
  mutable std::shared_mutex mutex_;
  std::map<device::Address, size_t> ranges_;  // by base
  Mappings mappings_;
  Mappings windows_;  // of what is bound to multicast objects
  Memories memories_;
  device::MemoryId next_ = 1;
};

}  // namespace warpwise::exec
