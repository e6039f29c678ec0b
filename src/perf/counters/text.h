// The counters of a profile as plain text: each kernel once for each launch shape, its counters under the names of
// Nsight Compute, and the source lines that execute most.
#pragma once

#include <string>

#include "perf/counters/launch_counts.h"

namespace warpwise::perf {

std::string counters_to_text(const Profile& profile, size_t most_lines = 8);

}  // namespace warpwise::perf
