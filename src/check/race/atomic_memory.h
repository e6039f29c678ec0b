// Memory with which the threads of a launch do nothing but atomics. Atomics do not race with each other, so compiled
// code notes them for later commands and compares nothing.
//
//     atomicAdd(&bins[bytes[i]], 1);        // nothing else reaches `bins` in this kernel
//
// What each instruction may reach is known of the parameters (CompiledKernel::plain_pointers). Which of them lead to
// one allocation, the launch knows. Atomics of block scope do race with those of other blocks: where a launch has any,
// compiled code decides about no atomic (RaceEpochs::sums).
#pragma once

#include "check/race/launch_pointers.h"

namespace warpwise::check {

// Notes for each parameter of which that is so how much of its allocation that is. Conditions as for
// find_apart_memory (apart_memory.h).
void find_atomic_memory(const LaunchPointers& pointers, KnownMemory& known);

}  // namespace warpwise::check
