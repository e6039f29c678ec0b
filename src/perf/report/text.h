// The report for a terminal: per kernel the verdict first, then what it rests on, then what to do.
#pragma once

#include <string>

#include "perf/report/analysis.h"

namespace warpwise::perf {

struct TextOptions {
  bool color = false;
  size_t lines = 8;     // source lines of each kernel
  size_t kernels = 20;  // those that take longest; the rest are counted
  size_t advice = 5;    // of each kernel
};

std::string to_text(const Analysis& analysis, const TextOptions& options);

// What a source line costs, in a few words: "32.0 sectors a load, 4.0 would do".
std::string cost_of(const Counts& counts);

// Of the kernel's pipes, what a line takes: the sum over them, for the order of lines.
double weight_of(const LineCounts& line, const KernelReport& kernel, const device::Properties& device);

}  // namespace warpwise::perf
