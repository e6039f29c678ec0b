// Memory with which the threads of a launch do nothing but atomics. Atomics do not race with each other, so compiled
// code notes them for later commands and compares nothing.
//
//     atomicAdd(&bins[bytes[i]], 1);        // nothing else reaches `bins` in this kernel
//
// What each instruction may reach is known of the parameters (CompiledKernel::plain_pointers). Which of them lead to
// one allocation, the launch knows. Atomics of block scope do race with those of other blocks: where a launch has any,
// compiled code decides about no atomic (RaceEpochs::sums).
#pragma once

#include "exec/launch/block_run.h"
#include "exec/memory/arena.h"

namespace warpwise::check {

// Notes in BlockRun::pointer_provenance, for each parameter of which that is so, how much of its allocation that is.
// Conditions as for find_unwritten_memory (unwritten_memory.h), which comes first. No word has a cell for each byte.
void find_atomic_memory(exec::BlockRun& run, const exec::Arena& arena);

}  // namespace warpwise::check
