// The report as JUnit XML, which every CI system shows: a suite for each program, and in it a test case for each
// checker, one for the program itself, and one for whether all was checked. A program that was not checked has one test
// case, which fails with what the compilers said.
#pragma once

#include <string>

#include "check/report/report.h"

namespace warpwise::check::report {

std::string to_junit(Reports reports, FailOn fail_on);

}  // namespace warpwise::check::report
