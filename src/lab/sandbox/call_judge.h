// Answers the kernel's questions about a confined command's calls: the call may continue, fails, or ends the command.
#pragma once

#include <linux/seccomp.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/sandbox/job.h"

namespace warpwise::lab::sandbox {

class CallJudge {
 public:
  // The job outlives it. `supervisor`: tasks are counted below this process; `overhead`: of them so many are the
  // sandbox's own.
  CallJudge(const Job& job, int supervisor, unsigned overhead);

  struct Answer {
    enum Kind : uint8_t { GoOn, Fails, Done, Ends } kind = GoOn;  // Done: it was done for the command, and went well
    int error = 0;                                                // of Fails
    End end = End::ForbiddenCall;                                 // of Ends
    std::string what;
  };
  // The next program to be started is the command itself.
  void begin_command() { programs_ = 0, refused_.clear(); }
  // An allowed call is made with the arguments that were checked, unless they are in memory: then another thread may
  // have changed them since. So this class allows nothing because of data behind a pointer; Landlock checks such data.
  Answer answer(const seccomp_notif& question);

  const std::vector<std::string>& refused() const { return refused_; }

 private:
  Answer file(const seccomp_notif& question, int folder, uint64_t path, uint64_t flags);
  Answer change_mode(const seccomp_notif& question, int folder, uint64_t path, uint64_t mode);
  Answer new_task(const seccomp_notif& question, uint64_t flags);
  void note(std::string what);

  const Job& job_;
  int supervisor_;
  unsigned overhead_;
  unsigned programs_ = 0;
  std::vector<std::string> readable_, writable_;  // real paths; paths that are harmless to look for count as readable
  std::vector<std::string> refused_;
};

}  // namespace warpwise::lab::sandbox
