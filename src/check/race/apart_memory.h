// Whether no two threads of a launch share a byte of what a parameter points to (simt/apart_accesses.h). Compiled code
// then notes its accesses there without comparing them.
#pragma once

#include "exec/engine.h"
#include "exec/launch/block_run.h"
#include "exec/memory/arena.h"
#include "simt/apart_accesses.h"

namespace warpwise::check {

bool are_apart(const simt::ApartAccesses& accesses, const exec::KernelLaunch& launch);

// Notes in BlockRun::pointer_provenance, for each parameter of which that is so, how much of its allocation that is.
// Conditions as for find_unwritten_memory (unwritten_memory.h), which comes first.
void find_apart_memory(exec::BlockRun& run, const exec::Arena& arena);

}  // namespace warpwise::check
