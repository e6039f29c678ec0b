// The report as JUnit XML, which every CI system shows: a test case per checker, and one for the program itself.
#pragma once

#include <string>

#include "check/report/report.h"

namespace warpwise::check::report {

std::string to_junit(const Report& report, FailOn fail_on);

}  // namespace warpwise::check::report
