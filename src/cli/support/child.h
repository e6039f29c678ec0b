// A program as a child of this process: it shares standard input, output and error with us, and signals reach it as if
// it ran alone.
#pragma once

#include <functional>
#include <optional>

#include "base/result.h"
#include "cli/support/caught_signals.h"

namespace warpwise::cli {

struct ChildEnd {
  int exit_code = 0;
  int signal = 0;         // what ended it; 0: it ended by itself
  int start_failure = 0;  // errno: it never started
  bool ok() const { return exit_code == 0 && signal == 0 && start_failure == 0; }
};

// Forks. In the child it returns nothing. In this process it returns how the child has ended: ^C and ^\ from the
// terminal reach the child directly, and this process continues to wait for it. Signals sent to this process are passed
// on, and what has arrived in `signals` before is, too. The child does not outlive us.
Result<std::optional<ChildEnd>> fork_child(CaughtSignals& signals);

// The same where the child is another program: `become` runs in the child and replaces it, or returns an errno.
Result<ChildEnd> run_child(const std::function<int()>& become);

}  // namespace warpwise::cli
