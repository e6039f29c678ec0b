// What occupancy is made of, as JSON: for `warpwise occupancy --json` and for the calculator of the page.
#pragma once

#include <string>

#include "device/occupancy.h"

namespace warpwise::perf {

// How many blocks a multiprocessor holds, what limits that, and what other block sizes, registers and shared memory
// would give.
std::string occupancy_to_json(const device::Properties& device, const device::BlockResources& block);

}  // namespace warpwise::perf
