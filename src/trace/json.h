// The answers to queries as JSON: the one schema that `warpwise view --json` prints and a page reads
// (docs/trace_format.md, "Answers as JSON"). Each answer is an object with `format`, `query`, and what was asked for.
#pragma once

#include <span>
#include <string>

#include "trace/queries.h"

namespace warpwise::trace {

// Rises when a member changes its meaning or goes away.
constexpr int kAnswerFormat = 1;

std::string to_json(const Summary& summary, std::string_view profile);
std::string to_json(const Overview& overview);
std::string to_json(const std::vector<LineSums>& lines, const Recording& recording);
std::string to_json(std::span<const StepView> steps, uint32_t warp, const Recording& recording);
std::string to_json(const StepDetail& detail, uint32_t warp, const Recording& recording);
std::string to_json(const std::optional<Place>& place, std::string_view event);
std::string sources_answer(const std::vector<SourceFile>& files);

// A value of a lane as its type shows it: "-1", "0.25", "0x3f".
std::string value_text(uint64_t bits, std::string_view type);

}  // namespace warpwise::trace
