// The report as two tables for other programs: one row for each kernel, or one for each source line with every counter.
#pragma once

#include <string>

#include "perf/report/analysis.h"

namespace warpwise::perf {

// One row for each kernel (line 0) and each of its source lines; columns: kernel, file, line, modelled seconds of the
// kernel, limiter, and every counter by its Nsight Compute name.
std::string to_csv(const Analysis& analysis);

}  // namespace warpwise::perf
