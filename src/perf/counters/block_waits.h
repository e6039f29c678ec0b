// Where a kernel's blocks wait for each other in a chain: a loop goes on until a load sees what another block has
// stored, and what the block itself stores for others follows from it.
//
//     while ((state = load_acquire(&states[tile - 1])) == kNothing) {}      look-back of a scan
//     store_release(&states[tile], state + sum);
//
// Blocks run one after the other here, and what they wait for is there. On a GPU a wait lasts at least as long as the
// store takes to L2 and the load back, and all other blocks wait, too.
//
// Such a loop has a load that is volatile or has an order (ld.relaxed, ld.acquire), whose value decides a branch out of
// the loop or back to its start, and the store or atomic behind it is of such a kind, too. Waits for what no wait
// stands before, as at a barrier of the grid, overlap with other work, and so may they on the GPU. Locks, which are
// taken by compare-and-swap, are not among them.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace warpwise::perf {

struct WaitLoop {
  uint32_t first = 0, last = 0;  // instructions of the loop
  std::vector<uint32_t> loads;   // those that it waits for
};

// Innermost loops first; each load is in one of them.
std::vector<WaitLoop> wait_loops(const ptx::Function& function);

}  // namespace warpwise::perf
