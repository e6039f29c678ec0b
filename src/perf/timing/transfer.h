// How long a copy between host and device takes: a latency and a bandwidth. Memory that is not page-locked goes through
// a buffer of the driver, at half the bandwidth (an estimate; systems range from a quarter to three quarters).
#pragma once

#include "device/properties.h"
#include "perf/counters/launch_counts.h"

namespace warpwise::perf {

// 0 for events that move nothing.
double seconds_of(const HostEvent& event, const device::Properties& device);

inline constexpr double kPageableShare = 0.5;

}  // namespace warpwise::perf
