// A last wave of blocks that fills only part of the GPU.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"

namespace warpwise::perf::rules {

using enum Counter;

// The share of the time above which it matters: every grid ends a little unevenly.
constexpr double kFelt = 0.05;

std::optional<Advice> tail_effect(const Situation& s) {
  if (s.launch.grid.count() < s.device.sm_count || s.prediction.waves > 20 || s.prediction.tail_share < kFelt)
    return std::nullopt;
  const uint64_t blocks = s.launch.grid.count(), sms = s.device.sm_count, slots = sms * s.prediction.occupancy.blocks;
  const std::string how =
      s.prediction.waves <= 1
          ? fmt::format("{} blocks for {} SMs: some run {}, others {}, and these", blocks, sms,
                        (blocks + sms - 1) / sms, blocks / sms)
          : fmt::format("{} blocks are {:.2f} waves, as {} run at once: while the last wave runs, SMs", blocks,
                        s.prediction.waves, slots);
  return worth(
      s, s.prediction.seconds * (1 - s.prediction.tail_share),
      fmt::format("{} are idle for {:.0f} % of the time", how, 100 * s.prediction.tail_share),
      "use smaller blocks, or exactly as many as the GPU holds at once, each of which processes several pieces of "
      "work (a grid-stride loop)");
}

}  // namespace warpwise::perf::rules
