// The roofline as a picture: how much arithmetic each kernel does per byte of DRAM traffic, how fast it does it, and
// how fast it could.
//
//     Williams, Waterman and Patterson, "Roofline: an insightful visual performance model", CACM 52 (2009).
#pragma once

#include <string>

#include "perf/report/compare.h"

namespace warpwise::perf {

// SVG with id "roofline" and the scales as data attributes, for the script of the page. "" where no kernel has both
// arithmetic and DRAM traffic.
std::string roofline_svg(const Analysis& analysis);
// Of two runs: each kernel before and after, and a line between. The roofs are those of the second device.
std::string roofline_svg(const Comparison& comparison);

}  // namespace warpwise::perf
