// Findings that may stay. A file of lines, each a pattern and the reason why:
//
//     # race detectors and the flag of the scan
//     C0203:src/scan.cu:40    every value of the flag is valid here
//     C0209:*/third_party/*   reported upstream
//     leak                    the process ends anyway
//
// A pattern is CODE[:FILE[:LINE]]. CODE is a rule's code or name, or `*`; FILE is matched from the end of the path,
// with the wildcards of a shell. On the command line (--suppress=PATTERN) the option itself is the reason.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "check/report/report.h"

namespace warpwise::check::report {

struct Suppression {
  std::string text;  // as written
  std::string code, file;
  uint32_t line = 0;
  std::string reason;
  bool used = false;
};

// U0011: no rule of that code or name, or a line that is no number.
Result<Suppression> parse_suppression(std::string_view pattern, std::string reason);
// U0011, with the line, also for a pattern without a reason.
Result<std::vector<Suppression>> parse_suppressions(std::string_view file_text, const std::string& file_name);

bool matches(const Suppression& suppression, const Finding& finding);
// Marks what is suppressed, and notes those that suppressed nothing.
void apply_suppressions(std::vector<Suppression>& suppressions, Report& report);

}  // namespace warpwise::check::report
