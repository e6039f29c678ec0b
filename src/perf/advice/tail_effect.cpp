// A last wave that fills a part of the GPU.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"

namespace warpwise::perf::rules {

using enum Counter;

// Every grid ends unevenly by a little.
constexpr double kFelt = 0.05;

std::optional<Advice> tail_effect(const Situation& s) {
  if (s.launch.grid.count() < s.device.sm_count || s.prediction.waves > 20 || s.prediction.tail_share < kFelt) return std::nullopt;
  double slots = double(s.device.sm_count) * s.prediction.occupancy.blocks;
  return worth(s, s.prediction.seconds * (1 - s.prediction.tail_share),
               fmt::format("{} blocks are {:.2f} waves of {:.0f}: while the last one runs, SMs are idle for {:.0f} % of the time",
                           s.launch.grid.count(), s.prediction.waves, slots, 100 * s.prediction.tail_share),
               "use smaller blocks, or exactly as many as the GPU holds at once, each going through several pieces of work (a grid-stride loop)");
}

}  // namespace warpwise::perf::rules
