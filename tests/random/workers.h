// Spreads numbered tasks over processes, so that a task that crashes its process is known by its number and the others
// go on.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>

namespace warpwise::random_programs {

// Ends this process once it has used so many seconds of processor time from now; 0: never.
void end_after(unsigned seconds);

// Runs `task` in a process of its own, for at most `seconds` of processor time. How it ended: "" for true, "false" for
// false, otherwise what brought it down ("Segmentation fault").
std::string run_apart(const std::function<bool()>& task, unsigned seconds);

struct Spread {
  uint64_t first = 0, count = 0;
  unsigned processes = 1;
  unsigned seconds = 0;  // begin no task after this time; 0: do all
  unsigned task_seconds = 120;
};
struct Tally {
  uint64_t done = 0, failed = 0;
  uint64_t slowest = 0;  // the task that took most processor time, of those that came back
  double slowest_seconds = 0;
};
// `task` is true when all is well; `on_death(number, why)` hears in this process of a task that did not come back.
Tally spread(const Spread& work, const std::function<bool(uint64_t)>& task,
             const std::function<void(uint64_t, const std::string&)>& on_death);

}  // namespace warpwise::random_programs
