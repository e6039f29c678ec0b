// Findings that follow from others, and those that others tell better.
#pragma once

#include <vector>

#include "base/finding.h"

namespace warpwise::check::report {

// A read that races with the write it should come after finds memory that nobody wrote, or does not, as the order of
// this run has it. The race is the cause and is told in every order; the read of nothing (C0301, C0302) is left out and
// noted there.
//
// Of several readers of a word one is kept, and where that is the writer himself the race is told without a name. It is
// left out where the same writer's race is told with one: the reader may be a lane of his warp, and nothing of another
// thread is known.
void drop_consequences(std::vector<Finding>& findings);

}  // namespace warpwise::check::report
