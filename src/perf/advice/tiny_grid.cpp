// Fewer blocks than multiprocessors: some are idle from the beginning.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"

namespace warpwise::perf::rules {

using enum Counter;

std::optional<Advice> tiny_grid(const Situation& s) {
  uint64_t blocks = s.launch.grid.count();
  if (blocks >= s.device.sm_count) return std::nullopt;
  double filled = double(blocks) / s.device.sm_count, work = s.prediction.seconds - s.prediction.launch_seconds;
  return worth(s, s.prediction.launch_seconds + work * std::max(filled, 0.02),
               fmt::format("{} block{} for {} multiprocessors: {:.0f} % of the GPU is idle", blocks,
                           blocks == 1 ? "" : "s", s.device.sm_count, 100 * (1 - filled)),
               "give each thread less work and launch more blocks, at least two to four per multiprocessor");
}

}  // namespace warpwise::perf::rules
