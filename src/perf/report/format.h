// Numbers in a readable form: three digits and a unit.
#pragma once

#include <string>
#include <string_view>

#include "device/device.h"

namespace warpwise::perf {

std::string seconds_text(double seconds);                         // "1.23 ms"
std::string bytes_text(double bytes);                             // "17.2 GB": powers of ten, as bandwidths count
std::string count_text(double count);                             // "1.07 G"
std::string percent_text(double share);                           // "97 %", "0.4 %"
std::string rate_text(double per_second, std::string_view unit);  // "309 GFLOP/s"
std::string size_text(const device::Dim3& size);                  // "32×32", "1024"
std::string bar(double share, unsigned width);                    // "██████▌   "

}  // namespace warpwise::perf
