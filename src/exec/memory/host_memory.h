// How much memory the host can give: the smallest of what the kernel calls available, what the control
// group still allows, and what `ulimit -v` leaves. A device that promises more would get the program
// killed instead of answering cudaErrorMemoryAllocation.
#pragma once

#include <cstdint>

namespace warpwise::exec {

uint64_t available_host_memory();

}  // namespace warpwise::exec
