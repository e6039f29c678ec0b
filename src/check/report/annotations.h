// Findings as the lines that GitHub Actions shows beside the code of a change:
//
//     ::error file=scan.cu,line=11,col=11,title=C0201::read and write of byte 128 of shared memory ...
//
// (GitHub documentation, Workflow commands: Setting an error message.)
#pragma once

#include <string>

#include "check/report/report.h"

namespace warpwise::check::report {

// A line for each finding that counts and for each program that failed or was not checked; "" when there is none.
std::string to_annotations(Reports reports);

}  // namespace warpwise::check::report
