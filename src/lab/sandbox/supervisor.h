// The outer half of the sandbox: starts the command inside, checks what it uses, answers the kernel's questions, ends
// everything that is left, and reports how it went.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/sandbox/job.h"

namespace warpwise::lab::sandbox {

// `life`: closes when the caller has gone or asks for the end. `self`: the path of this program. `answer` gets the
// outcome, of a series (series.h) that of each run. `descriptors`: of the first run of a series; those of the others
// come through `life`.
void keep(const Job& job, int life, const std::string& self, std::vector<int> descriptors,
          const std::function<void(const Outcome&)>& answer);

}  // namespace warpwise::lab::sandbox
