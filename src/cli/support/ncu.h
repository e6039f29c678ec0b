// Nsight Compute's program `ncu`, where it is installed: a program is run below it, and it counts with the GPU's own
// counters.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <optional>

#include "base/result.h"
#include "cli/support/start_program.h"
#include "perf/counters/launch_counts.h"

namespace warpwise::cli {

// Where WARPWISE_NCU says, or else in PATH, or where NVIDIA's installers put it; none: it is not installed.
std::optional<std::filesystem::path> find_ncu();

// Runs the program below `ncu` and adds what the GPU has counted to the profile, or why it has counted nothing.
// `folder`: for what passes between the two. `input`: of be_silent().
Result<void> count_with_ncu(const std::filesystem::path& ncu, ProgramStart start, const std::filesystem::path& folder,
                            off_t input, perf::Profile& profile);

// Where standard input is now; -1: it is no file, and can be read once.
off_t place_of_input();
// In a child, before it becomes a program that has run once already: its output goes nowhere, and it reads its input
// from that place again, or none.
void be_silent(off_t input);

}  // namespace warpwise::cli
