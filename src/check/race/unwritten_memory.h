// Memory that nothing writes while a launch runs: neither one of its threads nor other work of the device. Compiled
// code needs no race checks there.
#pragma once

#include "check/race/launch_pointers.h"

namespace warpwise::check {

// Notes for each parameter of the launch that is a pointer the allocation that it leads to and how much of that is
// unwritten. Only where no other command may run at the same time.
void find_unwritten_memory(const LaunchPointers& pointers, KnownMemory& known);

}  // namespace warpwise::check
