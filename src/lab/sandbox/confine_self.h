// Walls that a process builds around itself, for good: for a fork of ours that is about to run untrusted kernels.
//
// A kernel that is checked cannot leave device memory. One that is timed runs as it was compiled, and an address that
// it makes up may lead anywhere in its process. So the process is not trusted: it can open only the files that are
// named here, it can create only threads and memory, and it keeps the descriptors that it had open.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace warpwise::lab::sandbox {

// Of a process with one thread. S0001: the machine cannot do it.
Result<void> confine_self(std::vector<std::string> readable, std::vector<std::string> writable);

}  // namespace warpwise::lab::sandbox
