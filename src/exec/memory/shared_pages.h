// Device memory of another process (cudaIpcOpenMemHandle): a piece of a file of memory that the other process's arena
// lent (Arena::share), mapped where kernels of this one find it.
//
//     process A   0x6000'0020'0000 ─► file ◄─ 0x6000'0140'0000   process B
//
// Each process has addresses of its own for it. The file, and so the memory, lives until no process has it mapped,
// although its owner may have freed it: CUDA leaves that undefined.
#pragma once

#include <map>
#include <mutex>
#include <optional>

#include "base/result.h"
#include "exec/memory/arena.h"

namespace warpwise::exec {

class SharedPages {
 public:
  explicit SharedPages(Arena& arena) : arena_(arena) {}

  // The bytes of `file` from `offset` on; the file can be closed afterwards.
  Result<device::Address> open(int file, size_t offset, size_t bytes);
  // Closes what open() returned; false when there is nothing at that address. No work of the device may use it any
  // more.
  bool close(device::Address base);
  void clear();

  std::optional<Region> region_at(device::Address address) const;

 private:
  struct Piece {
    device::Address pages = 0;
    size_t page_bytes = 0;
    Region region;
  };
  void unmap(const Piece& piece);

  Arena& arena_;
  mutable std::mutex mutex_;
  std::map<device::Address, Piece> pieces_;  // by the device's base
};

}  // namespace warpwise::exec
