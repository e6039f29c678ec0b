// A profile's counters as plain text: each kernel once for each shape it was launched in, its counters under Nsight
// Compute's names, and the source lines that execute most.
#pragma once

#include <string>

#include "perf/counters/launch_counts.h"

namespace warpwise::perf {

std::string counters_to_text(const Profile& profile, size_t most_lines = 8);

}  // namespace warpwise::perf
