// The report for a terminal: for each kernel the verdict first, then what it rests on, and last what to do, where the
// reader's eye is when the report has been printed.
#pragma once

#include <string>

#include "perf/report/analysis.h"

namespace warpwise::perf {

struct TextOptions {
  bool color = false;
  size_t lines = 8;     // source lines of each kernel
  size_t kernels = 20;  // those that take longest; of the rest their number and share
  size_t advice = 5;    // of each kernel
};

std::string to_text(const Analysis& analysis, const TextOptions& options);

}  // namespace warpwise::perf
