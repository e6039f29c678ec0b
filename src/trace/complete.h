// Completes a recording. The program that is recorded writes what it knows; what the checkers found in it, what the
// profile counted, and the text of its sources come from the command that ran it.
//
//     steps of the recorded run ──┐
//     findings of the checked run ┼── complete() ──► a file that needs nothing else
//     counts of the profiled run ─┤
//     sources ────────────────────┘
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "trace/recording.h"

namespace warpwise::trace {

struct Completion {
  std::string program, command, tool, device, schedule;
  std::string input{};  // JSON: what the launch ran on, as its maker says; "": the program's own affair
  Choice choice = Choice::First;
  uint64_t launch = 0;  // in the program
  bool checked = false;
  std::vector<Finding> findings;
  std::string profile;                     // JSON
  std::optional<SourceFrame> costly_line;  // where a view opens if there is no finding
  std::function<std::optional<std::string>(const std::string& file)> read_source;
  std::vector<std::string> notes;  // further ones
};

// The steps at which the parties of findings did what they are blamed for.
class TraceFile;
Result<std::vector<Mark>> marks_of(TraceFile& file, const std::vector<Finding>& findings);

// Reads the recording in `from` and writes the whole to `to`. The errors of TraceFile::open; U0002.
Result<void> complete(const std::string& from, const std::string& to, const Completion& completion);

}  // namespace warpwise::trace
