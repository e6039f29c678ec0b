// Where a kernel's time goes: its source lines by what they ask of the pipes.
#pragma once

#include <string>
#include <vector>

#include "perf/report/analysis.h"

namespace warpwise::perf {

struct HotLine {
  double share = 0;  // of the kernel; lines without a place have their part, and are not listed
  const LineCounts* line = nullptr;
};
// The hottest first.
std::vector<HotLine> hot_lines(const KernelReport& kernel, const device::Properties& device);

// What a source line costs, in a few words: "32.0 sectors a load, 4.0 would do".
std::string cost_of(const Counts& counts);

}  // namespace warpwise::perf
