// Sines, exponentials, roots and divisions that limit the kernel.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"

namespace warpwise::perf::rules {

using enum Counter;

std::optional<Advice> special_functions(const Situation& s) {
  const Counts& c = s.launch.totals;
  if (s.prediction.of(Resource::Special) < 0.5) return std::nullopt;
  const Outcome then = outcome_if(s, [](Counts& k) { k[PipeXu] /= 2; });
  const LineCounts* line = heaviest_line(s.launch, [](const Counts& k) { return double(k[PipeXu]); });
  return worth(
      s, then,
      fmt::format("{} special functions per thread; an SM executes {:.0f} per clock, an eighth of its additions",
                  c[SpecialFunctions] / std::max<uint64_t>(s.launch.threads(), 1), s.device.machine.special_lanes),
      "move what does not change out of the loop, use rsqrtf(x) for 1/sqrtf(x), one reciprocal for several "
      "divisions, sincosf for both",
      place_of(line));
}

}  // namespace warpwise::perf::rules
