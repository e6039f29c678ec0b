// Blocks whose warps all wait at a barrier, with no other block to fill the time.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"

namespace warpwise::perf::rules {

using enum Counter;

constexpr double kSurely = 0.85;  // the model's own error

std::optional<Advice> barriers(const Situation& s) {
  const Counts& c = s.launch.totals;
  if (c[Barriers] == 0) return std::nullopt;
  LaunchCounts other = s.launch;
  other.totals[Barriers] = 0;
  other.latency.chain.barrier = 0;
  std::optional<Prediction> p = predict(other, s.device);
  // How long a barrier takes, and how far apart blocks run, are estimates: a small gain is not certain.
  if (!p || p->seconds > kSurely * s.prediction.seconds) return std::nullopt;
  const LineCounts* line = heaviest_line(s.launch, [](const Counts& k) { return double(k[Barriers]); });
  return worth(
      s, p->seconds,
      fmt::format("a warp waits {:.0f} times at barriers, and an SM holds {} block{} to fill the time",
                  double(c[Barriers]) / double(s.launch.warps()), s.prediction.occupancy.blocks,
                  s.prediction.occupancy.blocks == 1 ? "" : "s"),
      "remove barriers that order nothing, do more work between two of them (larger steps, double buffering), or "
      "use smaller blocks, so that more of them are resident",
      place_of(line));
}

}  // namespace warpwise::perf::rules
