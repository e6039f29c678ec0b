// The parts of a program that it names itself (NVTX), in device time: a range covers the commands that its thread
// submitted while it was open, from the begin of the first to the end of the last.
#pragma once

#include <string>
#include <vector>

#include "perf/counters/launch_counts.h"

namespace warpwise::perf {

struct RangeTime {
  const HostEvent* event = nullptr;
  uint64_t commands = 0, kernels = 0;
  uint64_t begin_ns = 0, end_ns = 0;  // device time; both 0 when there are no commands
};
// In the order in which they ended; marks are left out.
std::vector<RangeTime> ranges_of(const Profile& profile);

// All ranges of one name.
struct RangeSum {
  std::string name;
  uint64_t times = 0, commands = 0, kernels = 0;
  double device_seconds = 0, host_seconds = 0;
};
// In the order in which they first ended.
std::vector<RangeSum> sums_of(const std::vector<RangeTime>& ranges);

}  // namespace warpwise::perf
