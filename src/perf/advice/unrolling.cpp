// Warps whose instructions wait for each other: a chain of dependences that other warps cannot hide.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"

namespace warpwise::perf::rules {

using enum Counter;

std::optional<Advice> unrolling(const Situation& s) {
  if (s.prediction.limiter.kind != Limit::Kind::Latency) return std::nullopt;
  const ChainSteps& chain = s.launch.latency.chain;
  double steps = chain.fma + chain.fp64 + chain.xu + chain.shared + chain.global;
  if (steps < 64) return std::nullopt;
  LaunchCounts other = s.launch;
  ChainSteps& half = other.latency.chain;
  half.fma /= 4, half.fp64 /= 4, half.xu /= 4, half.shared /= 4, half.global /= 4;
  std::optional<Prediction> p = predict(other, s.device);
  if (!p) return std::nullopt;
  const LineCounts* line = heaviest_line(s.launch, [](const Counts& k) { return double(k[Instructions]); });
  return worth(
      s, p->seconds,
      fmt::format("the longest chain of dependent instructions has {:.0f} steps ({:.0f} of them global loads), "
                  "and {:.2g} warps per SM on average do not hide its latency",
                  steps, chain.global, s.prediction.resident_warps),
      "let each thread work on several independent elements at once: four sums instead of one, the loads of the "
      "next step before the arithmetic of this one (#pragma unroll 4)",
      place_of(line));
}

}  // namespace warpwise::perf::rules
