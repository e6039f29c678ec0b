// Runs compilers: several side by side, their output collected, ^C tidy.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpwise::toolchain {

struct Job {
  std::vector<std::string> command;  // the program by its path, then its arguments
};

struct JobResult {
  int exit_code = 0;   // 128 + the signal's number when a signal ended it
  std::string output;  // standard output and error, in the order written
};

// Runs a job to its end in another way than as a child of this process: in a sandbox, for one.
using JobRunner = std::function<Result<JobResult>(const Job&)>;

struct RunOptions {
  unsigned at_once = 0;  // 0: as many as the machine has processors
  // Called once, when the jobs have taken longer than half a second.
  std::function<void()> on_slow;
  // The same for this time, which is longer.
  std::function<void()> on_very_slow;
  std::chrono::milliseconds very_slow{3000};
  JobRunner runner;  // called from several threads at once; it then handles signals and on_slow itself
};

// Runs all jobs to their end, whatever the result of each. While they run, SIGINT, SIGTERM and SIGHUP
// wait; when one comes it ends the jobs and the answer is T0009. The signal stays pending, so that the
// caller can remove what is half made; then it calls die_of_interrupt. T0001 when a program cannot be
// started.
Result<std::vector<JobResult>> run_jobs(const std::vector<Job>& jobs, const RunOptions& options = {});

// Lets the signal that caused a T0009 take its default action. Returns only if there was none.
void die_of_interrupt();

// For copying into a shell.
std::string shell_quoted(const std::vector<std::string>& command);

}  // namespace warpwise::toolchain
