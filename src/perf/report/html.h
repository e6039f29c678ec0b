// The report as one HTML file that opens without a network: styles, script and data are in it.
#pragma once

#include <string>

#include "perf/report/analysis.h"

namespace warpwise::perf {

std::string to_html(const Analysis& analysis);

}  // namespace warpwise::perf
