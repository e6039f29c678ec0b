// What limits a kernel, in the words of a first chapter on CUDA: the busy part of the GPU, and what in the kernel keeps
// it busy.
#pragma once

#include <string>

#include "perf/report/analysis.h"

namespace warpwise::perf {

// Completes "limited by …".
std::string limited_by(const KernelReport& kernel);

}  // namespace warpwise::perf
