// A baseline: the findings that a project had when it began to check. --new-only reports what has come since.
//
//     {"version": 1, "findings": [{"fingerprint": "…", "code": "C0203", "place": "scan.cu:40", "message": "…"}]}
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "base/result.h"
#include "check/report/report.h"

namespace warpwise::check::report {

std::string baseline_of(Reports reports);
// The fingerprints in it; U0010 when it is none.
Result<std::set<std::string>> parse_baseline(std::string_view text);
void apply_baseline(const std::set<std::string>& baseline, Report& report);

}  // namespace warpwise::check::report
