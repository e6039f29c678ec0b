// The modelled times and the advice as JSON: beside the counters (perf/counters/json.h) in `warpwise profile --json`.
#pragma once

#include <nlohmann/json.hpp>

#include "perf/report/analysis.h"

namespace warpwise::perf {

nlohmann::json to_json(const Analysis& analysis);
// Both: what a recording has of all launches (trace/complete.h).
std::string profile_to_json(const Profile& profile, const Analysis& analysis);

}  // namespace warpwise::perf
