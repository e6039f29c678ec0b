// Memory that nothing writes while a launch runs: neither one of its threads nor other work of the device. Compiled
// code needs no race checks there.
#pragma once

#include <cstdint>
#include <optional>

#include "exec/launch/block_run.h"
#include "exec/memory/arena.h"

namespace warpwise::check {

// Notes in BlockRun::pointer_provenance, for each parameter of the launch that is a pointer, the allocation that it
// leads to and how much of that is unwritten. `run`: a block whose parameters are known; only where no other command
// may run at the same time.
void find_unwritten_memory(exec::BlockRun& run, const exec::Arena& arena);

// The allocation that the n-th parameter of eight bytes leads to.
std::optional<exec::Region> region_of_parameter(const exec::BlockRun& run, const exec::Arena& arena, uint64_t n);

}  // namespace warpwise::check
