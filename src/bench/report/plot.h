// The picture of a measurement: how near each version comes to the roof, shape by shape.
#pragma once

#include <string>

#include "bench/measure/measurement.h"

namespace warpwise::bench {

// An SVG; "" when no version has a time.
std::string plot_svg(const Measurement& measurement);

}  // namespace warpwise::bench
