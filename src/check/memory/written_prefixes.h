// How much of each allocation was written, from its start on. Compiled code skips the check of accesses there.
//
//     ├──── written ────┤ uninitialised ├─ written ─┤
//     └──── of() ───────┘
//
// That never becomes less, but for copies of uninitialised memory, which clear() is for: a search goes on where the
// last one has ended. May be called by any thread.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "exec/launch/block_run.h"
#include "exec/memory/arena.h"

namespace warpwise::check {

class WrittenPrefixes {
 public:
  // In bytes.
  uint64_t of(const exec::Region& region);
  // Notes in BlockRun::pointer_provenance what the parameters of the launch point to.
  void note_pointers(exec::BlockRun& run, const exec::Arena& arena);

  // The allocation that begins there is gone, or new.
  void forget(device::Address base);
  // What was written may be less than it was.
  void clear();

 private:
  std::mutex mutex_;
  std::unordered_map<device::Address, uint64_t> bytes_;  // by the start of an allocation
};

}  // namespace warpwise::check
