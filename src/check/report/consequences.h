// Findings that follow from others, and findings that others state better.
#pragma once

#include <vector>

#include "base/finding.h"

namespace warpwise::check::report {

// Leaves one finding where several have one cause:
//
// - A read that races with the write that it should follow finds uninitialised memory, or does not, as the order of
//   this run has it. The race is the cause and is reported in every order. The uninitialised read (C0301, C0302) is
//   left out and noted there.
// - Of several readers of a word the race checker keeps one. Where that is the writer itself, the race is reported
//   without the reader's name. It is left out where the same writer's race is reported with one.
// - A missing __syncthreads() lets threads of one warp race, too (C0202), where they race across warps (C0201): at the
//   same two lines, or at lines around the place where the barrier is missing. __syncwarp() there would not be enough,
//   so the race in the warp is left out and noted at the race in the block.
void drop_consequences(std::vector<Finding>& findings);

}  // namespace warpwise::check::report
