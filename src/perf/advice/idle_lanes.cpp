// Blocks whose size is not a multiple of 32: the remaining lanes of their last warp are idle.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"

namespace warpwise::perf::rules {

using enum Counter;

std::optional<Advice> idle_lanes(const Situation& s) {
  unsigned threads = static_cast<unsigned>(s.launch.block.count()), warps = (threads + 31) / 32;
  if (threads % 32 == 0) return std::nullopt;
  double filled = threads / (32.0 * warps);
  double then = s.prediction.launch_seconds + (s.prediction.seconds - s.prediction.launch_seconds) * filled;
  return worth(s, then,
               fmt::format("blocks of {} threads are {} warps of 32: {:.0f} % of the lanes are idle", threads, warps,
                           100 * (1 - filled)),
               fmt::format("use blocks of {} or {} threads", std::max(32u, threads / 32 * 32), warps * 32));
}

}  // namespace warpwise::perf::rules
