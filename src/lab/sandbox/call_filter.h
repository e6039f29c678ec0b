// The seccomp filter of a confined command: calls.inc as a program that the kernel runs before each of its calls.
#pragma once

#include <linux/filter.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpwise::lab::sandbox {

// Made once, which takes a millisecond and a half, for all commands that a process starts: it travels with their jobs
// (Job::filter).
class CallFilter {
 public:
  static Result<CallFilter> make();
  std::string text() const;
  // X0001: not what text() gives.
  static Result<CallFilter> from_text(std::string_view text);
  // Confines the calling thread and all it will start, for good. Gives the descriptor at which the kernel asks about
  // the calls that calls.inc marks so (seccomp_unotify(2)); it closes by itself on exec. The process has no_new_privs
  // by then.
  Result<int> load() const;

 private:
  std::vector<sock_filter> program_;
};

// The same for a process without a supervisor to ask. Calls that depend on their arguments are decided by what a filter
// can see; calls that would end a command raise SIGSYS. The process starts no other.
Result<void> load_call_filter_alone();

}  // namespace warpwise::lab::sandbox
