// The sums that a host thread has not yet added to memory (simt/scalar/privatise_sums.h).
//
//     memory     … [ bins, as other threads see them ] …
//                    |  window: sums_first, sums_bytes
//     counters       [ what this thread has added meanwhile ]      sums; all zero when nothing is pending
//
// The window is opened at the first address that a launch adds to, over the allocation around it, or a part of it that
// stays in the processor's nearer caches. There is one for each launch. A launch that must flush again and again loses
// its window: searching it for pending sums costs about as much as a hundred locked additions.
//
// Belongs to one host thread.
#pragma once

#include <cstdint>
#include <vector>

#include "simt/abi.h"

namespace warpwise::exec {

class Arena;

class PrivatisedSums {
 public:
  // Of a new launch: nothing is pending (what a launch that failed has left goes when the next window is opened).
  void begin(simt::BlockContext& context);
  // Opens the window at a host address, if this launch has had none and the address is the program's own device memory.
  void open(simt::BlockContext& context, const Arena& arena, uint64_t address, uint32_t bytes);
  void settle(simt::BlockContext& context);
  // The launch has ended well.
  void finish(simt::BlockContext& context);

 private:
  std::vector<uint64_t> counters_;  // zeros, but for a launch under way
  bool unfinished_ = false;         // ... and one that failed
  uint32_t element_bytes_ = 4;
  bool may_open_ = true;
  unsigned settled_ = 0;  // times in this launch
};

}  // namespace warpwise::exec
