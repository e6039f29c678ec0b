// The roofline as a picture: how much arithmetic each kernel does for a byte of memory, how fast, and how fast it
// could.
//
//     Williams, Waterman and Patterson, "Roofline: an insightful visual performance model", CACM 52 (2009).
#pragma once

#include <string>

#include "perf/report/compare.h"

namespace warpwise::perf {

// SVG with id "roofline" and the scales as data attributes, for the page's script. "" where no kernel has arithmetic
// and memory traffic to place it by.
std::string roofline_svg(const Analysis& analysis);
// Of two runs: each kernel as it was, as it is, and a line between. The roofs are those of the second one's device.
std::string roofline_svg(const Comparison& comparison);

}  // namespace warpwise::perf
