// The processes below one: found, counted and ended.
//
// A process whose parent has died becomes a child of the nearest ancestor that asked for it (PR_SET_CHILD_SUBREAPER),
// the supervisor: so all that a command ever started, daemons too, is always below the supervisor, and /proc lists it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace warpwise::lab::sandbox {

// What a process and all below it use and have used.
struct Usage {
  unsigned tasks = 0;            // threads of processes that are alive
  uint64_t memory_bytes = 0;     // resident pages, page tables, and pages in swap
  double processor_seconds = 0;  // with the children that have been waited for
};

// Without `root` itself.
std::vector<pid_t> processes_below(pid_t root);
Usage usage_of(const std::vector<pid_t>& processes);
// Kills until nothing is left below the calling process, and collects it.
void end_all_below_self();
// Whether the kernel lists the children of a process (CONFIG_PROC_CHILDREN).
bool can_see_children();

}  // namespace warpwise::lab::sandbox
