// What an atomic of a warp costs, at L2 and in shared memory, as far as the instruction says it.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "perf/counters/access_cost.h"
#include "ptx/module.h"

namespace warpwise::perf {

// Turns (kSliceTurnNs) that a slice of L2 takes for a sector all of whose words the warp changes, for one of which it
// changes some, and for each further lane with the same word. Measured on an H200 (2^18 to 2^20 lanes that add):
//
//     integers, one word                     0.74 ns a lane
//     whole sectors, 128 bytes or 1 KB       0.58 and 0.27 a sector: the second is two slices
//     words of their own sectors, 256 bytes to 8 KB apart in 8 to 256 sectors
//                                            0.74 a lane and slice, where each serves 512 bytes in a row
//     random words of 1, 4 and 16 KB         0.59, 0.70 and 0.97
//     floats, one word                       1.76 a lane: those of one word wait for each other. At 8 words of a line
//                                            each of these takes as long, and 32 words of 1 KB take what integers do
//     doubles, 256 words                     1.1 a sector and slice
//     one lane of each block, one word       0.71 at most
//
// The pieces of 512 bytes lie on slices as by chance: 32 and 64 of them are served as fast as 22 and 29.
constexpr unsigned kWholeTurns = 3, kPartTurns = 4, kAgainTurns = 4;

struct AtomicTurns {
  uint8_t more = 0;             // for each sector, beyond those above
  uint8_t again = kAgainTurns;  // from one lane to the next where several change one word
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
