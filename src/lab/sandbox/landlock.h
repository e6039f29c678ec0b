// Access to files under Landlock: the files that a job names may be used, and all others are refused, by whatever path.
// (Linux kernel, Documentation/userspace-api/landlock.rst; in kernels since 5.13.)
#pragma once

#include "base/result.h"
#include "lab/sandbox/job.h"

namespace warpwise::lab::sandbox {

// Confines the calling thread and all it will start. `own_proc`: /proc shows the command's own processes alone, so it
// may be read; otherwise the thread's own folder there is. S0001: the kernel has no Landlock.
Result<void> confine_files(const Job& job, bool own_proc);

}  // namespace warpwise::lab::sandbox
