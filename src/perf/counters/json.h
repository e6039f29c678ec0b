// A profile as JSON for other programs: every counter under the name of Nsight Compute, per launch and per source line.
#pragma once

#include <string>

#include "perf/counters/launch_counts.h"

namespace warpwise::perf {

std::string counters_to_json(const Profile& profile);

// The counters that are not zero, in one line.
std::string metrics_to_json(const Counts& counts);

}  // namespace warpwise::perf
