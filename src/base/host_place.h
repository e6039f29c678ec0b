// The place in the program that called the API function that is running.
#pragma once

#include "base/finding.h"

namespace warpwise {

// The return addresses above us, the program's innermost first; the frames of our own libraries, which lie in one
// folder, are left out. Costs some microseconds: only for programs that are checked. Only right on the thread that
// calls the API. A device that runs work later must ask when the work is submitted.
HostPlace host_place();

// In a signal handler: where the program was when the instruction at `pc` was stopped; nothing when that was in our own
// libraries.
HostPlace host_place_of(uint64_t pc);

}  // namespace warpwise
