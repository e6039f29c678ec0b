// Many judgements side by side, each in one of a few processes: the judge forks, which a process with many threads
// should not do.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"

namespace warpwise::lab {

// Runs task(0) … task(count - 1) in `jobs` child processes (0: as many as there are processors) and passes each answer
// to `done` in this process, in the order in which they arrive. The answer of a task whose process died is nothing:
// `died` is true, and another process goes on with the rest. L0009 when no process can be started.
Result<void> run_in_workers(size_t count, unsigned jobs, const std::function<std::string(size_t)>& task,
                            const std::function<void(size_t index, const std::string& answer, bool died)>& done);

}  // namespace warpwise::lab
