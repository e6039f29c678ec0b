// How long a command that only moves bytes takes, by the model.
//
//     between host and device      a latency, and the bytes at the bandwidth of PCIe
//     on the device, and fills     the start of a kernel, and the bytes that DRAM reads and writes
#pragma once

#include "device/properties.h"
#include "perf/counters/launch_counts.h"

namespace warpwise::perf {

// Seconds, without contention; 0 for launches, calls and ranges.
double seconds_of(const HostEvent& event, const device::Properties& device);

// The share of PCIe's bandwidth for memory that is not page-locked, which goes through a buffer of the driver. An
// estimate: systems range from a quarter to three quarters.
inline constexpr double kPageableShare = 0.5;

}  // namespace warpwise::perf
