// The energy figures of a board (energy.inc), for those that have been measured.
#pragma once

#include <string_view>

namespace warpwise::device {

struct EnergyFigures {
  // Picojoules a byte.
  double dram = 0, l2 = 0, l1 = 0;
  // Picojoules an operation: an fma is two.
  double fp32 = 0, fp64 = 0, tensor = 0;
  double idle_watts = 0;
  std::string_view measured_on;  // "GH200"
};
inline constexpr std::string_view kEnergySource =
    "Antepara and others, SC'25, doi 10.1145/3712285.3759815, table 3, as quoted elsewhere";
// Sensors, data and chips differ by so much: 155 to 257 W for one kernel by its data alone.
inline constexpr double kEnergyRange = 0.3;

const EnergyFigures* energy_figures(std::string_view device);  // null: not known

}  // namespace warpwise::device
