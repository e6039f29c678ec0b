// Where the time of a kernel goes: its source lines, ranked by what they demand of the pipes.
#pragma once

#include <string>
#include <vector>

#include "perf/report/analysis.h"

namespace warpwise::perf {

struct HotLine {
  double share = 0;  // of the kernel; lines without a place in the source have a share, too, but are not listed
  const LineCounts* line = nullptr;
};
// The hottest first.
std::vector<HotLine> hot_lines(const KernelReport& kernel, const device::Properties& device);

// The place of the hottest line of the kernel with this name in PTX; nothing where no line is known.
std::optional<SourceFrame> costliest_place(const Analysis& analysis, std::string_view symbol);

// What a source line costs, in a few words: "32 global loads: 32.0 sectors of 32 bytes each where 4.0 would do".
std::string cost_of(const Counts& counts);

}  // namespace warpwise::perf
