// Times in which the device is idle because the host waited for it and submits the next command only then. What the
// calls of the host cost is in timing/model_constants.h.
#pragma once

#include <vector>

#include "perf/counters/launch_counts.h"

namespace warpwise::perf {

struct IdleGap {
  double seconds = 0;
  const HostEvent* call = nullptr;  // the call that waited last before the gap ended
  bool copies = false;              // the call was a copy to or from the host
};
std::vector<IdleGap> idle_gaps(const Profile& profile);

// From the begin of the first command to the end of the last.
double device_span(const Profile& profile);

}  // namespace warpwise::perf
