// One command again and again, each time in a process of its own, in a sandbox that is built once: the small cases of a
// `solve` problem.
//
//     supervisor ──► bubblewrap ──► init ──► the command, with the descriptors of its run
//                                     └────► the command, with others
//
// The rule: a run is a new process, started by exec, that begins behind the same walls and with the same limits as in a
// sandbox of its own, and nothing is left of the runs before it. It holds because
//
// * all processes of a run have ended before its outcome is known: init, process 1 of their namespace, kills what is
//   there and waits for it;
// * a series has no writable folder, and Landlock refuses all other writing, so there are no files; the calls that make
//   memory, queues or semaphores of System V and POSIX end the command;
// * standard input, output and error are opened anew for each run, as are its descriptors, so not even a flag of a pipe
//   is left;
// * time, memory and output are counted from the beginning of the run.
//
// What is left is a count: the kernel numbers processes on, so a run can tell from its own number how many the runs
// before it have started, and these can say a few bits that way. They have not seen its inputs, which is all that would
// help it.
//
// A run that is ended for any other reason than its own takes the sandbox with it, and the next one builds another. So
// does each on a machine without namespaces. Namespaces are half of what a sandbox costs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/sandbox/sandbox.h"

namespace warpwise::lab::sandbox {

class Series {
 public:
  // Job::descriptors: the numbers that `descriptors` get in the command, from kFirstNumber on. A job other than the
  // last one gets a sandbox of its own. X0001: the job has a writable folder. Other errors: those of sandbox::start.
  Result<void> start(Job job, const std::vector<int>& descriptors);
  // The outcome of what was started. Errors: those of Running::wait.
  Result<Outcome> wait();
  void cancel();

  // Above what init has open.
  static constexpr int kFirstNumber = 64;

 private:
  std::optional<Running> running_;
  std::string job_;
};

}  // namespace warpwise::lab::sandbox
