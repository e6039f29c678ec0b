// The outer half of the sandbox: starts the command inside, checks what it uses, answers the kernel's questions, ends
// everything that is left, and reports how it went.
#pragma once

#include <string>

#include "lab/sandbox/job.h"

namespace warpwise::lab::sandbox {

// `life`: closes when the caller has gone or asks for the end. `self`: the path of this program.
Outcome keep(const Job& job, int life, const std::string& self);

}  // namespace warpwise::lab::sandbox
