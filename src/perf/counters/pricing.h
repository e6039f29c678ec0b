// An access that the instrumentation reports becomes sums: which memory it is in, what it costs there, and the sectors
// that it requests from the caches.
#pragma once

#include "exec/observer.h"
#include "perf/counters/access_cost.h"
#include "perf/counters/atomic_turns.h"
#include "perf/counters/sums.h"
#include "perf/counters/traffic.h"

namespace warpwise::perf {

// Adds to `sums`, the access's own, and to the block's trace. `atomic` matters for atomics alone.
void price(const exec::CountedLanes& access, const AtomicTurns& atomic,
           std::array<AccessSums<uint64_t>, kReached>& sums, BlockTrace& trace);

// The same for a load or a store of global memory whose lanes all have one address: a sector. False for any other
// access, and nothing is added.
bool price_one(const exec::CountedAddress& access, std::array<AccessSums<uint64_t>, kReached>& sums, BlockTrace& trace);

// The same for lanes whose memory is known, with addresses in it. `trace` may be null.
void price_in(Reached where, simt::CountedAccess what, const AtomicTurns& atomic, const LaneAccess& lanes,
              uint32_t warp, std::array<AccessSums<uint64_t>, kReached>& sums, BlockTrace* trace);
// The memory behind a generic address, and the address within it.
Reached resolve(const exec::BlockRun& run, uint64_t address, uint64_t* offset);

}  // namespace warpwise::perf
