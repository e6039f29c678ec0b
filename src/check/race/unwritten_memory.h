// Memory that nothing writes while a launch runs: neither one of its threads nor other work of the device. Compiled
// code needs no race checks there.
#pragma once

#include "exec/launch/block_run.h"
#include "exec/memory/arena.h"

namespace warpwise::check {

// Notes in BlockRun::pointer_provenance, for each parameter of the launch that is a pointer, the allocation that it
// leads to and how much of that is unwritten. `run`: a block whose parameters are known; only where no other command
// may run at the same time.
void find_unwritten_memory(exec::BlockRun& run, const exec::Arena& arena);

// ... and how much of it no two threads of the launch have in common (apart_memory.h).
void find_apart_memory(exec::BlockRun& run, const exec::Arena& arena);

}  // namespace warpwise::check
