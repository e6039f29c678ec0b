// What the services of mbarriers share between the two modes.
#pragma once

#include "exec/async/mbarrier.h"
#include "exec/service_call.h"

namespace warpwise::exec {

// The word of the mbarrier at a generic address. A fault where there is none: outside the cluster's shared memory,
// misaligned, or never initialised.
uint64_t& mbarrier_at(BlockRun& run, uint64_t address, uint32_t warp, uint32_t lane, uint32_t site, uint64_t pc, bool must_be = true);

}  // namespace warpwise::exec
