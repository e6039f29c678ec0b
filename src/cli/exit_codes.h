// Exit codes, as docs/exit_codes.md lists them.
//
// `warpwise run` keeps the codes below 125 for the program; its own failures before the program starts
// are those of env(1) and timeout(1), so that scripts can tell the two apart.
#pragma once

namespace warpwise::cli {

enum ExitCode : int {
  kSuccess = 0,
  kFailed = 1,       // the command could not do it, or the answer is no (doctor, nvcc)
  kUsage = 2,        // wrong option or argument
  kGotWorse = 122,   // profile: --baseline found a time or a counter that is worse; xargs(1) has 123, timeout(1) 124
  kRunFailed = 125,  // run: the program does not compile, or an option is wrong
  kCannotExecute = 126,  // run: the program exists and cannot be executed
  kNotFound = 127,       // run: there is no such program
};

}  // namespace warpwise::cli
