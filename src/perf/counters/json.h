// A profile as JSON for other programs: every counter under Nsight Compute's name, per launch and per source line.
#pragma once

#include <string>

#include "perf/counters/launch_counts.h"

namespace warpwise::perf {

std::string counters_to_json(const Profile& profile);

// Of some counts alone, those that are not zero, in one line.
std::string metrics_to_json(const Counts& counts);

}  // namespace warpwise::perf
