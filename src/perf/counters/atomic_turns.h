// What an atomic of a warp costs, at L2 and in shared memory, as far as the instruction says it.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "perf/counters/access_cost.h"
#include "ptx/module.h"

namespace warpwise::perf {

// A turn (kSliceTurnNs) is half of what a slice of L2 takes for a sector of 32 bytes all of whose words the warp
// changes; a sector of which it changes some words takes four. Nanoseconds measured on an H200 for warps of which each
// lane, or all of them, change
//
//                                one word     a sector,    32 words in sectors
//                                alone        whole        of their own, a lane
//     32- and 64-bit integers    0.74         0.64         1.1 to 1.4
//     compare and swap           0.74         1.2          1.7 to 2.3
//     sums of floats             1.76         0.64         1.1 to 1.4
//     sums of doubles            1.76         1.2          1.3 to 1.4
//
// A lane that comes alone takes three turns: one lane of each warp or block that adds to one word, in three kernels of
// HeCBench, 0.9 to 1.1.
constexpr unsigned kLoneTurns = 3;

struct AtomicTurns {
  uint8_t more = 0;   // for each sector, beyond those above
  uint8_t again = 2;  // for a lane whose word another lane of the warp changes, too
  // ptxas makes one operation of a warp's beforehand: sums, minima and logic of integers at an address that is the same
  // in all lanes whatever the data are. (An address that only turns out to be is taken lane by lane: measured.)
  bool combined = false;
  SharedAtomic shared = SharedAtomic::Lanes;
};

// Registers that may differ between lanes of a warp: what comes from their numbers, from memory, and from other lanes.
std::set<ptx::RegisterId> varying_registers(const ptx::Function& function);

// `old_is_read`: something reads the value that the atomic returns.
AtomicTurns turns_of_atomic(const ptx::Instruction& instruction, const std::set<ptx::RegisterId>& varying,
                            bool old_is_read);

// A compare-and-swap that threads come to only if a look at the word beforehand has told them to, as in
//
//     for (old = *p; value < old;) { seen = atomicCAS(p, old, value); if (seen == old) break; old = seen; }
//
// Threads run one after the other here: few find a word that they want to change. On a GPU all that run at the same
// time look at it before any of them has changed it, and all of them try.
struct LookedAt {
  uint32_t load, swap;  // instructions
};
std::vector<LookedAt> swaps_after_looks(const ptx::Function& function);

}  // namespace warpwise::perf
