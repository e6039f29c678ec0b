// `warpwise check --each`: many programs, each checked by a `warpwise check` of its own, some at a time.
//
//     tests/ scan.cu ──find──► tests/a.cu tests/b.cu scan.cu ──a process each──► reports as JSON ──read──► reports
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "check/report/report.h"

namespace warpwise::cli {

struct EachRequest {
  std::vector<std::string> inputs;     // sources, programs, and folders of sources
  std::vector<std::string> options;    // of `warpwise check`, and of the compiler
  std::vector<std::string> arguments;  // of each program
  unsigned jobs = 0;                   // at once; 0: as many as there are processors
  std::function<void()> on_slow;       // called once, after half a second
};

// The files to check, in the order of the inputs; the .cu files below a folder by name. U0001 for an input that does
// not exist, T0008 for a folder without a source.
Result<std::vector<std::string>> find_programs(const std::vector<std::string>& inputs);

// A report for each program, in order. One that does not compile has its `failure`.
Result<std::vector<check::report::Report>> check_each(const EachRequest& request);

}  // namespace warpwise::cli
