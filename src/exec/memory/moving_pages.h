// Pages of the process that move to another place while the program runs: private memory into a file of memory that is
// mapped where they were, so that it can be mapped a second time, and home again.
//
// While pages move they are closed to writes, and a thread that writes waits in the fault handler (is_moving); a system
// call that writes there fails with EFAULT. One range moves at a time.
#pragma once

#include <cstdint>

namespace warpwise::exec {

// Whole pages, private and writable. The file that they are in now, which the caller closes, or -1: nothing has
// changed.
int move_into_file(uint64_t first, uint64_t last, const char* name);
// Into pages that are the process's alone. Where that fails they stay where they are, which does no harm.
void move_home(uint64_t first, uint64_t last);

// Of a fault at `address`: true when its page was closed because it moved, and has arrived.
bool is_moving(uint64_t address);

}  // namespace warpwise::exec
