// Half-precision arithmetic in the ordinary pipes, much of it multiply-adds: matrix products belong on tensor cores.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"
#include "perf/report/format.h"

namespace warpwise::perf::rules {

using enum Counter;

std::optional<Advice> tensor_cores(const Situation& s) {
  const Counts& c = s.launch.totals;
  if (c[PipeTensor] != 0 || s.device.machine.tensor_f16 == 0 || c[Hfma] == 0) return std::nullopt;
  if (double(c[Hfma]) < 0.3 * double(c[ThreadInstructionsOn])) return std::nullopt;
  const Outcome then = outcome_if(s, [](Counts& k) {
    uint64_t moved = k[PipeFp16];
    k[TensorF16Ops] += 2 * k[Hfma];
    k[PipeFp16] = 0;
    k[Instructions] -= std::min(k[Instructions], moved);
  });
  const LineCounts* line = heaviest_line(s.launch, [](const Counts& k) { return double(k[Hfma]); });
  return worth(
      s, then,
      fmt::format("{} half-precision multiply-adds, none on the tensor cores, which do {:.0f} times as many per clock",
                  count_text(double(c[Hfma])), s.device.machine.tensor_f16 / (4 * s.device.machine.fp16_lanes)),
      "if this is a matrix product, use nvcuda::wmma or mma.sync", place_of(line));
}

}  // namespace warpwise::perf::rules
