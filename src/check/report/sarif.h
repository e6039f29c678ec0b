// The report as SARIF 2.1.0 (OASIS), which code scanning and editors read: the rules with their stories, a result per
// finding with its places and the parties' places as related locations, suppressions with their reasons, and whether
// the run was complete. Several programs are one run with an invocation for each: code scanning takes one run of a
// tool.
#pragma once

#include <string>

#include "check/report/report.h"

namespace warpwise::check::report {

std::string to_sarif(Reports reports);

}  // namespace warpwise::check::report
