// The report for programs. docs/checking.md describes the members; version counts changes that break readers.
#pragma once

#include <string>

#include "check/report/report.h"

namespace warpwise::check::report {

std::string to_json(const Report& report, FailOn fail_on);

}  // namespace warpwise::check::report
