// Copies that wait for kernels and kernels that wait for copies, where two streams could do both at once.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"
#include "perf/timing/transfer.h"

namespace warpwise::perf::rules {

using Kind = HostEvent::Kind;

std::optional<Advice> synchronous_copies(const ProgramSituation& s) {
  double copies = 0;
  unsigned count = 0;
  for (const HostEvent& event : s.profile.events) {
    if ((event.kind != Kind::CopyToDevice && event.kind != Kind::CopyToHost) || event.asynchronous) continue;
    copies += seconds_of(event, s.device);
    ++count;
  }
  double whole = s.kernel_seconds + copies, saved = std::min(copies, s.kernel_seconds) * 0.8;
  if (count < 4 || saved < 0.1 * whole) return std::nullopt;
  return Advice{nullptr, fmt::format("{} copies take {:.2f} ms while no kernel runs, and kernels {:.2f} ms while nothing is copied", count, copies * 1e3,
                                     s.kernel_seconds * 1e3),
                "cut the work into pieces, and copy one (cudaMemcpyAsync, page-locked memory) in one stream while another is computed in a second", saved,
                whole / std::max(whole - saved, 1e-12), std::nullopt};
}

}  // namespace warpwise::perf::rules
