// What limits a kernel, in the words of a first chapter on CUDA: the part of the GPU that is busy, and what in the
// kernel keeps it so.
#pragma once

#include <string>

#include "perf/report/analysis.h"

namespace warpwise::perf {

// Completes "limited by …".
std::string limited_by(const KernelReport& kernel);

}  // namespace warpwise::perf
