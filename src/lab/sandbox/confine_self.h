// Walls that a process builds around itself, for good: for a fork of ours that is about to run untrusted kernels.
//
// A kernel that is watched cannot leave device memory; one that is timed runs as it was compiled, and an address that
// it makes up may lead anywhere in its process. So the process is worth nothing: it can open the files that are named
// here, its threads and its memory are all that it can make, and what it had open it keeps.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace warpwise::lab::sandbox {

// Of a process with one thread. S0001: the machine cannot do it.
Result<void> confine_self(std::vector<std::string> readable, std::vector<std::string> writable);

}  // namespace warpwise::lab::sandbox
