// Runs a program that is not ours: in its folder, for a limited time, with its output kept and bounded.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpwise::conformance {

struct ChildResult {
  bool started = false;  // if not, `output` says why
  int exit_code = 0;
  int signal = 0;  // that ended it; 0: it ended by itself
  bool out_of_time = false;
  double elapsed = 0;    // seconds
  double processor = 0;  // seconds of user and system time, its own children's included
  std::string output;    // standard output and error as they came; the middle is left out of a long one
};

// The child leads a process group, which is killed as a whole when the time is over or the child has
// ended. `environment` is added to ours.
ChildResult run_child(const std::vector<std::string>& command, const std::filesystem::path& folder, double time_limit,
                      const std::vector<std::pair<std::string, std::string>>& environment = {});

}  // namespace warpwise::conformance
