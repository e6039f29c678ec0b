// A profile as JSON for other programs: every counter under Nsight Compute's name, per launch and per source line.
#pragma once

#include <string>

#include "perf/counters/launch_counts.h"

namespace warpwise::perf {

std::string counters_to_json(const Profile& profile);

}  // namespace warpwise::perf
