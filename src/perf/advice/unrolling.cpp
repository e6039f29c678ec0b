// Warps whose instructions wait for each other: a chain of dependences longer than other warps can hide.
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
  return worth(s, p->seconds,
               fmt::format("a warp alone takes {:.0f} steps one after the other ({:.0f} of them loads of global "
                           "memory), and {:.0f} warps an SM do not "
                           "fill the waiting",
                           steps, chain.global, s.prediction.resident_warps),
               "let a thread work on several independent elements at once: four sums instead of one, loads of the next "
               "step before the arithmetic of this one "
               "(#pragma unroll 4)",
               place_of(line));
}

}  // namespace warpwise::perf::rules
