// How many registers a thread of a kernel needs, as an estimate for occupancy: PTX has as many virtual
// registers as it likes, and only ptxas knows what becomes of them. We count how many 32-bit values are
// alive at once in program order, which for structured code is near what an allocator needs.
#pragma once

#include "ptx/module.h"

namespace warpwise::exec {

unsigned estimate_registers(const ptx::Function& function);

}  // namespace warpwise::exec
