// Findings that follow from others.
#pragma once

#include <vector>

#include "base/finding.h"

namespace warpwise::check::report {

// A read that races with the write it should come after finds memory that nobody wrote, or does not, as the order of this run has
// it. The race is the cause and is told in every order; the read of nothing (C0301, C0302) is left out and noted there.
void drop_consequences(std::vector<Finding>& findings);

}  // namespace warpwise::check::report
