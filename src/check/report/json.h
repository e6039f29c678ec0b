// The report for programs. docs/checking.md describes the members; `version` counts changes that break readers.
#pragma once

#include <string>

#include "base/result.h"
#include "check/report/report.h"

namespace warpwise::check::report {

std::string to_json(const Report& report, FailOn fail_on);
// Of `check --each`: the reports of all programs in `programs`, and what they come to.
std::string to_json(Reports reports, FailOn fail_on);

// A report that to_json() wrote; U0010 when it is none of this version. Members that are missing or of another kind are
// as if they were empty.
Result<Report> report_from_json(std::string_view text);

}  // namespace warpwise::check::report
