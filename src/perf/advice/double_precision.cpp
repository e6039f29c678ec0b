// Double precision on a device that has little of it, or where single precision would do.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"
#include "perf/report/format.h"

namespace warpwise::perf::rules {

using enum Counter;

std::optional<Advice> double_precision(const Situation& s) {
  const Counts& c = s.launch.totals;
  double f64 = double(c[Dadd] + c[Dmul] + c[Dfma]);
  if (f64 == 0) return std::nullopt;
  const Outcome then = outcome_if(s, [](Counts& k) {
    k[PipeFma] += k[PipeFp64];
    k[PipeFp64] = 0;
    k[MoreFma] += k[MoreFp64], k[MoreFp64] = 0;
    // Conversions between floats and doubles use the pipe of special functions.
    k[PipeXu] -= std::min(k[PipeXu], k[Conversions] / 32);
  });
  const LineCounts* line = heaviest_line(s.launch, [](const Counts& k) { return double(k[PipeFp64]); });
  return worth(s, then,
               fmt::format("{} operations on doubles; {} executes {} times as many on floats", count_text(f64),
                           s.device.name, s.device.single_to_double_ratio),
               "write constants as 0.5f and call sqrtf or expf: one double in an expression makes all of it double",
               place_of(line));
}

}  // namespace warpwise::perf::rules
