// The answers to queries as text for a terminal, 100 columns wide at most.
#pragma once

#include <span>
#include <string>

#include "trace/queries.h"

namespace warpwise::trace {

// `lines`: of the recorded steps.
std::string to_text(const Summary& summary, const Overview& overview, const std::vector<LineSums>& lines,
                    const std::vector<SourceFile>& sources);
// A row for each warp.
std::string to_text(const Overview& overview, const Recording& recording);
// One line for each step.
std::string to_text(std::span<const StepView> steps, uint32_t warp, const Recording& recording);
// One step, its 32 lanes, and what they touch. With Depth::Source without its instruction, clock and masks.
enum class Depth { Source, Instruction };
std::string to_text(const StepDetail& detail, uint32_t warp, const Recording& recording, const Findings& findings,
                    const std::vector<SourceFile>& sources, Depth depth = Depth::Instruction);

}  // namespace warpwise::trace
