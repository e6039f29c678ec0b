// Whether no two threads of a launch share a byte of what a parameter points to (simt/apart_accesses.h). Compiled code
// then notes its accesses there without comparing them.
#pragma once

#include "check/race/launch_pointers.h"
#include "exec/engine.h"
#include "simt/apart_accesses.h"

namespace warpwise::check {

bool are_apart(const simt::ApartAccesses& accesses, const exec::KernelLaunch& launch);

// Notes for each parameter of which that is so how much of its allocation that is. Conditions as for
// find_unwritten_memory (unwritten_memory.h), and no word has a cell for each byte.
void find_apart_memory(const LaunchPointers& pointers, KnownMemory& known);

}  // namespace warpwise::check
