// The report as one HTML file that opens without a network: styles, script and data are in it. The verdict and the
// advice come first, beside the roofline; what they rest on is below.
#pragma once

#include <string>

#include "perf/report/analysis.h"
#include "perf/report/provenance.h"

namespace warpwise::perf {

std::string to_html(const Analysis& analysis, const Provenance& provenance);

}  // namespace warpwise::perf
