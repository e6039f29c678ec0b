// The report for people: each finding with its lines, then a summary that fits a screen whatever was found.
#pragma once

#include <string>

#include "check/report/report.h"

namespace warpwise::check::report {

struct TextOptions {
  bool color = false;
  size_t max_findings = 10;  // in full; the summary counts the rest
};

std::string to_text(const Report& report, const TextOptions& options);
// Of several programs: their findings, what those that failed have printed, and a line for each program.
std::string to_text(Reports reports, const TextOptions& options);
// One finding alone.
std::string to_text(const Finding& finding, bool color);

}  // namespace warpwise::check::report
