// Host memory of the program that the device reaches, too (cudaHostRegister).
//
// The engine sees an address of a kernel kAliasOffset higher (arena.h), and there is no such place for the addresses of
// a host's heap. So registered memory gets addresses in the arena's window, where the same pages are mapped once more:
//
//     0x5555'0000'3010  the program's own array          0x2000'0040'0010  the same bytes for kernels, and for the host
//
// Private pages cannot be in two places: their bytes move into a file of memory that is mapped over them, and home
// again when the memory is given up (moving_pages.h). Ranges that share a page share its file. After that, what a child
// of fork() writes is visible to its parent.
//
// Refused: memory that is not all there or cannot be written, and the stack that the caller runs on.
#pragma once

#include <map>
#include <mutex>
#include <optional>

#include "base/result.h"
#include "exec/memory/arena.h"

namespace warpwise::exec {

class AdoptedPages {
 public:
  explicit AdoptedPages(Arena& arena) : arena_(arena) {}

  // Where kernels find `host`.
  Result<device::Address> adopt(void* host, size_t bytes);
  // Gives up what adopt() returned; false when there is nothing at that address. No work of the device may use it any
  // more.
  bool give_up(device::Address base);
  // The device is reset: kernels find nothing any more, and the host's pages stay as they are.
  void clear();

  std::optional<Region> region_at(device::Address address) const;
  // Where the device finds what the host has at an address; the address itself where it is not adopted.
  const void* device_view(const void* host) const;

 private:
  struct Range {
    uint64_t first = 0, last = 0;  // whole pages of the host
    device::Address pages = 0;     // the first of them for the device
    Region region;
  };
  bool is_used(uint64_t page) const;
  void unmap(const Range& range);

  Arena& arena_;
  mutable std::mutex mutex_;
  std::map<device::Address, Range> ranges_;  // by the device's base
};

}  // namespace warpwise::exec
