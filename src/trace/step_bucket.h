// What one step adds to the overview of its warp.
#pragma once

#include "trace/overview.h"
#include "trace/step.h"

namespace warpwise::trace {

// `threads` of the warp: a step with fewer lanes is a partial one.
Bucket bucket_of(const Step& step, const Site& site, uint32_t threads);

}  // namespace warpwise::trace
