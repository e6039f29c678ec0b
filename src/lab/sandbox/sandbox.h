// Runs an untrusted command: a compiler with a submission's source, or the host code of a submission.
//
//     caller ──job──► supervisor ──► (bubblewrap ──►) init ──► the command
//            ◄─outcome─┘  ▲                                   │  Landlock: no file but those that the job names
//                         └──── "may it?" ◄── seccomp ────────┘  limits, no privileges, no network
//
// The supervisor (bin/warpwise-confine, supervisor.h) is a process of its own, so a caller with many threads need not
// fork. Processes that the command leaves behind become the supervisor's children, and it ends them. It ends
// everything, too, when the caller dies. What each wall stops:
//
// * Landlock: files. A file that is not named cannot be opened, not even through links. There are no signals and no
//   abstract sockets to processes outside, where the kernel knows how.
// * seccomp: calls that can reach other processes, the network or rare parts of the kernel are refused. The supervisor
//   decides about calls that depend on their arguments (kill, clone, execve), and names what ended the command
//   (calls.inc).
// * Limits: checked every few milliseconds. The kernel's own limits do not fit: memory that is reserved and not used
//   must cost nothing, and RLIMIT_NPROC counts the user's other programs, too. What counts as memory are resident
//   pages, page tables and swap. The filter refuses memory that a process can fill without having it mapped.
// * Namespaces: through bubblewrap, where the machine allows them. Nothing outside is even there.
//
// The first three are always there, or nothing is run (S0001). They cost about 3 ms, bubblewrap 5 more.
//
// A command that runs again and again may keep its sandbox (series.h).
//
// The command owns its folder while it runs: links in it are refused. Code that reads there afterwards uses
// read_product, which follows no link and stops at a size.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "lab/sandbox/job.h"

namespace warpwise::lab::sandbox {

// A command at work. Moves; ends the command when it dies before wait() was called.
class Running {
 public:
  Running(Running&& other) noexcept;
  Running& operator=(Running&& other) noexcept;
  ~Running();

  // Waits for the end. Errors: S0001 the machine cannot give a sandbox, S0002 the command cannot be started, X0001.
  Result<Outcome> wait();
  // Ends the command and everything that it has started, soon; wait() then returns Cancelled. From any thread.
  void cancel();
  // Of a series: starts the command, whose descriptors these are; again, where the last outcome says that the sandbox
  // stands. S0002.
  Result<void> start_next(const std::vector<int>& descriptors);

 private:
  friend Result<Running> start(const Job& job);
  Running(pid_t supervisor, int life, int answer, bool series)
      : supervisor_(supervisor), life_(life), answer_(answer), series_(series) {}
  std::string read_line();
  pid_t supervisor_ = -1;
  int life_ = -1;    // the supervisor ends its command when this closes
  int answer_ = -1;  // the outcome comes from here
  bool series_ = false, begun_ = false;
};

// S0002: the supervisor cannot be started. The job's descriptors may be closed by the caller afterwards.
Result<Running> start(const Job& job);
Result<Outcome> run(const Job& job);

// A file that a command has left behind: a regular file of at most `most` bytes, not through a link. U0001 otherwise.
Result<std::string> read_product(const std::string& folder, const std::string& name, size_t most);

}  // namespace warpwise::lab::sandbox
