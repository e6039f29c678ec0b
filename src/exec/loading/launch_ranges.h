// Whether the numbers of a launch lie in the ranges that compiled code assumes, and are aligned as it assumes
// (simt/launch_assumptions.h).
#pragma once

#include "exec/engine.h"
#include "simt/launch_assumptions.h"

namespace warpwise::exec {

// A parameter that the launch does not have lies in no range.
bool in_ranges(const simt::LaunchRanges& ranges, const KernelLaunch& launch);
// Nor is it aligned.
bool are_aligned(const simt::LaunchAlignments& alignments, const KernelLaunch& launch);

}  // namespace warpwise::exec
