// Constant memory serves one word at a time: lanes that ask for different words are served one after the other.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"

namespace warpwise::perf::rules {

using enum Counter;

std::optional<Advice> constant_divergence(const Situation& s) {
  const Counts& c = s.launch.totals;
  double words = ratio(c, ConstantAddresses, ConstantLoads);
  if (words < 2) return std::nullopt;
  // Each further word takes another clock of the pipe for loads.
  double then = s.prediction.seconds;
  double passes = double(c[ConstantAddresses] - c[ConstantLoads]) / s.device.sm_count / (s.prediction.clock_khz * 1e3);
  const LineCounts* line =
      heaviest_line(s.launch, [](const Counts& k) { return double(k[ConstantAddresses]) - double(k[ConstantLoads]); });
  return worth(
      s, std::max(then - passes, 0.0),
      fmt::format("a load of constant memory asks for {:.1f} different words, which are served one after the other",
                  words),
      "put tables that lanes index differently into shared or global memory", place_of(line));
}

}  // namespace warpwise::perf::rules
