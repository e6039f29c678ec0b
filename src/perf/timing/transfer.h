// The modelled time of a command that only moves or fills memory.
//
//     copy between host and device    a latency, and the bytes at PCIe's bandwidth; at kPageableShare of it where the
//                                     host's memory is not page-locked
//     copy on the device              the start of a kernel, and each byte read from and written to DRAM
//     fill                            a start (model_constants.h), and each byte written to DRAM
#pragma once

#include "device/properties.h"
#include "perf/counters/launch_counts.h"

namespace warpwise::perf {

// Seconds, as if nothing else ran. 0 for launches, calls and ranges, which this does not model.
double transfer_seconds(const HostEvent& event, const device::Properties& device);

// The share of PCIe's bandwidth for memory that is not page-locked, which goes through a buffer of the driver. An
// estimate: systems range from a quarter to three quarters.
inline constexpr double kPageableShare = 0.5;

}  // namespace warpwise::perf
