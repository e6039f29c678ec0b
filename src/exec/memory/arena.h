// Device memory.
//
// Programs see addresses from 2^45 (0x2000'0000'0000) up, the engine sees the same bytes kAliasOffset
// (2^46) higher:
//
//     0x2000'0000'0000  program's view     plain device memory: nothing is mapped, a host access faults
//     0x6000'0000'0000  engine's view      always mapped, read and write
//
// Managed and pinned memory is one memfd mapped in both places. A kernel that follows a host pointer p
// reaches p + 2^46, which is non-canonical or unmapped: it faults too.
//
// Nothing is reserved ahead (so `ulimit -v` limits what is allocated, not whether we start). Small
// allocations share slabs; large ones have their own pages, followed by an unmapped gap, and their
// addresses are handed out next-fit, so that a freed address faults for a long time before it is used again.
//
// Thread-safe. Look-ups take a shared lock.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>

#include "base/result.h"
#include "device/device.h"
#include "simt/abi.h"
#include "simt/instrument/shadow.h"

namespace warpwise::exec {

// The owner of a piece of the arena. Only the first two are allocations to a program.
enum class Owner : uint8_t {
  Program,  // cudaMalloc and relatives
  Module,   // the variables of a module
  Engine,   // shared and local memory, parameters, the heap of kernels
};

struct Region {
  device::Address base = 0;
  size_t size = 0;  // as requested
  device::MemoryKind kind = device::MemoryKind::Device;
  Owner owner = Owner::Program;
  std::string_view what;  // of the engine's own: "shared memory of a block"; a literal

  bool contains(device::Address address, size_t bytes) const {
    return address >= base && address - base <= size && bytes <= size - (address - base);
  }
};

// The engine's view of a program-visible address.
inline std::byte* engine_view(device::Address address) {
  return reinterpret_cast<std::byte*>(address + simt::kAliasOffset);
}

class HostPages;
class Observer;

// Shared memory lies at a multiple of this, as far as a matrix descriptor reaches (14 bits of chunks of 16 bytes):
// programs make descriptors of the low bits of generic addresses, which on hardware are those of the offset.
constexpr size_t kSharedAlignment = size_t{1} << 18;

// Where an allocation of its own pages has to begin: so many bytes before a multiple of `alignment`.
struct Placement {
  size_t alignment = 0, lead = 0;
};

class Arena {
 public:
  static constexpr size_t kUnit = 512;  // cudaMalloc aligns at least so (CUDA guide, 5.3.2: 256)
#ifdef __SANITIZE_ADDRESS__
  static constexpr device::Address kFirst = 0x2800'0000'0000;  // AddressSanitizer's own heap is at 0x6000'0000'0000
#else
  static constexpr device::Address kFirst = 0x2000'0000'0000;
#endif
  static constexpr device::Address kLast = kFirst + simt::kShadowReach;  // one past the window

  static constexpr uint64_t kJustBefore = uint64_t{1} << 34;

  // `device_bytes`: the device's own memory; the arena never hands out more, and never more than the
  // host can give.
  explicit Arena(uint64_t device_bytes);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Reports every piece to `observer`, and makes mistakes visible: small allocations get at least kRedZone bytes of
  // nothing behind them, and freed ones are not handed out again before kQuarantine more bytes have been freed. Before
  // the first allocation.
  static constexpr size_t kRedZone = 128;
  static constexpr size_t kQuarantine = size_t{16} << 20;
  void watch(Observer* observer);
  Observer* observer() const { return observer_; }
  // What closes pages of shared memory to the host; null: nothing does. A fault of the host asks there first.
  void close_with(HostPages* pages) { host_pages_ = pages; }
  HostPages* host_pages() const { return host_pages_; }

  // Zeroed when fresh, else unspecified. Error R0101 when there is no room.
  Result<device::Address> allocate(size_t size, device::MemoryKind kind, Owner owner = Owner::Program,
                                   std::string_view what = {}, const Placement& placement = {});
  // Only of a base address; false when there is no such allocation.
  bool free(device::Address base);
  void free_all();

  // What the program calls the allocation that begins at `base`, for messages: also after it is freed, until another
  // one lies there. "": it has not said.
  void name(device::Address base, std::string name);
  std::string name_of(device::Address base) const;

  // The file of memory in which the program's allocation of device memory that contains `address` lies from now on,
  // with what else lies in the same pages, so that other processes can map it (shared_pages.h). The file is the arena's
  // and goes with the memory. Error R0103.
  struct Lent {
    int file = -1;
    size_t offset = 0;
    Region region;
  };
  Result<Lent> share(device::Address address);

  // Addresses without memory, aligned to 2 MiB and to `alignment`, a power of two. Nothing can be accessed there until
  // memory is mapped into the engine's view of them.
  Result<device::Address> reserve(size_t bytes, size_t alignment);
  void unreserve(device::Address base, size_t bytes);
  // Counts memory that other code makes, too. Error R0101 when there is no room.
  Result<void> take(size_t bytes);
  void give_back(size_t bytes);
  // One of the copies that an address of a multicast object stands for. Neither address nor reason: there are fewer.
  // The same is true, at the same distance, of all bytes from `first` to `end`.
  struct Copy {
    device::Address address = 0;
    std::string why_not;
    device::Address first = 0, end = 0;
  };
  // What knows which memory is mapped in reserved addresses: find() asks there for addresses that it does not know.
  class Mapped {
   public:
    virtual ~Mapped() = default;
    virtual std::optional<Region> region_at(device::Address address) const = 0;
    virtual Copy copy_at(device::Address address, size_t bytes, bool writes, unsigned index) const = 0;
  };
  void also_look_in(const Mapped* mapped) { mapped_ = mapped; }

  // Of what an access of `bytes` by `multimem` reaches, number `index` in the order of the devices.
  Copy copy_at(device::Address address, size_t bytes, bool writes, unsigned index) const;

  // The allocation, or the mapped memory, that contains `address`.
  std::optional<Region> find(device::Address address) const;
  // The allocation that contains `address`. The answer stays the same as long as changes() does.
  std::optional<Region> find_allocation(device::Address address) const;
  // How often an allocation came or went, from 1 on.
  uint64_t changes() const { return changes_.load(std::memory_order_acquire); }
  // For messages about an address in no allocation: the program's allocation that ends or starts nearest
  // to it. The engine's own pieces count only when the address is close behind them.
  std::optional<Region> nearest(device::Address address) const;
  // An address freed earlier that has not been handed out again: the region it was in.
  std::optional<Region> freed(device::Address address) const;
  // The engine's view of [address, address + bytes) when all of it lies in one allocation, else null.
  std::byte* view(device::Address address, size_t bytes) const;

  // Whether an address, of either view, is one that the arena may hand out.
  static bool in_window(device::Address address) { return address >= kFirst && address < kLast; }
  // Below the window, and where an index that is too small leads rather than a host pointer.
  static bool just_before_window(device::Address address) {
    return address < kFirst && kFirst - address <= kJustBefore;
  }

  uint64_t used_bytes() const;
  uint64_t free_bytes() const;
  uint64_t total_bytes() const { return device_bytes_; }

 private:
  struct Slab;
  struct Piece {
    Region region;
    Slab* slab = nullptr;     // null: own pages
    size_t mapped_bytes = 0;  // own pages, without the gap
    size_t units = 0;         // in the slab
  };
  struct Quarantined {
    device::Address base = 0;
    Slab* slab = nullptr;
    size_t units = 0;
  };

  Result<device::Address> allocate_small(size_t units, device::MemoryKind kind);
  Result<device::Address> map_pages(size_t bytes, device::MemoryKind kind, const Placement& placement);
  void unmap_pages(device::Address base, size_t bytes, device::MemoryKind kind);
  void drop(std::map<device::Address, Piece>::iterator piece);
  void give_back_units(device::Address base, Slab* slab, size_t units);
  Error out_of_memory(size_t size) const;

  const uint64_t device_bytes_;
  uint64_t host_bytes_ = 0;  // what the host could give when the arena was made
  uint64_t used_ = 0;
  Observer* observer_ = nullptr;
  std::deque<Quarantined> quarantine_;
  size_t quarantined_bytes_ = 0;
  device::Address next_ = kFirst;
  std::map<device::Address, Piece> pieces_;     // by base
  std::atomic<uint64_t> changes_{1};            // of pieces_
  std::map<device::Address, size_t> occupied_;  // address ranges in use, gaps included
  std::map<device::Address, Region> graveyard_;
  std::map<device::Address, std::string> names_;  // by base
  std::map<device::Address, std::unique_ptr<Slab>> slabs_;
  std::map<device::Address, int> lent_;  // files of shared pages, by the pages' base
  std::atomic<const Mapped*> mapped_{nullptr};
  HostPages* host_pages_ = nullptr;
  mutable std::shared_mutex mutex_;
};

}  // namespace warpwise::exec
