// What `warpwise check` has to say of a program: what was run and checked, what was found, and what that means.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "base/finding.h"

namespace warpwise::check::report {

struct ReportedFinding {
  Finding finding;
  std::string fingerprint;  // the same from run to run and when lines move
  bool suppressed = false;  // the user has decided that it may stay
  std::string reason;       // of the suppression
  bool known = false;       // it is in the baseline
  bool counts() const { return !suppressed && !known; }
};

// How the program itself ended.
struct ProgramEnd {
  int exit_code = 0;
  int signal = 0;
  bool ok() const { return exit_code == 0 && signal == 0; }
};

// Where a compiler refused a source, and why.
struct CompileError {
  SourcePlace place;
  std::string message;
};

struct Report {
  std::string tool_version;
  std::string program;  // as the user named it
  std::string build;    // "unoptimised, for checking (Clang)"
  CheckerSet checkers;
  unsigned runs = 1;  // under as many schedules
  std::vector<ReportedFinding> findings;
  std::vector<std::string> not_checked;
  std::vector<std::string> unused_suppressions;
  uint64_t dropped = 0;      // further findings that were not kept
  bool used_cuda = true;     // false: the program never opened a device
  bool left_early = false;   // it ended without its exit handlers, so leaks and unread errors are not known
  ProgramEnd end;            // of the first run that failed, or of the last
  std::string failure;       // why the program was not checked at all: "a compiler refused"; "": it was
  std::string failure_code;  // its code: "T0003"
  std::vector<CompileError> compile_errors;  // where a compiler refused, as far as it said
  std::string output;  // of the compilers, where one refused; of a program of several, where it failed
};
using Reports = std::span<const Report>;  // a program each
inline Reports only(const Report& report) { return {&report, 1}; }

using SeverityCounts = std::array<size_t, 3>;  // by Severity
// Of the findings that count.
SeverityCounts count(const Report& report);
// "2 errors, 1 warning, 0 notes".
std::string describe(const SeverityCounts& counts);
// Errors first, then warnings, then notes; otherwise in the order in which they were found.
void sort(Report& report);

enum class FailOn : uint8_t { Error, Warning, Never };
enum class Verdict : uint8_t { Clean, Findings, ProgramFailed, Incomplete, NotChecked };
// Findings first; then the program's own failure; then whether "clean" would be a lie.
Verdict verdict(const Report& report, FailOn fail_on);
// Of several programs: the first of Findings, ProgramFailed, NotChecked and Incomplete that one of them has.
Verdict verdict(Reports reports, FailOn fail_on);
std::string_view name_of(Verdict verdict);  // "clean"

// "exit code 1", "signal 11 (Segmentation fault)".
std::string describe(const ProgramEnd& end);

// The place to show for a party: its code's, or the host's; null when nothing is known.
const SourcePlace* place_of(const Party& party);
const SourcePlace* place_of(const Finding& finding);

// The facts behind a finding as sentences: memory, threads, order.
std::string describe_memory(const MemoryPlace& memory);
std::string describe_party(const Party& party);
std::string describe_count(const Finding& finding);  // "4096 accesses; the first is shown"
std::string help_of(const Finding& finding);

}  // namespace warpwise::check::report
