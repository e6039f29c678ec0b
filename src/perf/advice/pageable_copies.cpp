// Copies from and to memory that the host may page out.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"
#include "perf/report/format.h"
#include "perf/timing/transfer.h"

namespace warpwise::perf::rules {

using Kind = HostEvent::Kind;

std::optional<Advice> pageable_copies(const ProgramSituation& s) {
  double now = 0, then = 0, bytes = 0;
  for (HostEvent event : s.profile.events) {
    if ((event.kind != Kind::CopyToDevice && event.kind != Kind::CopyToHost) || event.pinned) continue;
    now += transfer_seconds(event, s.device);
    event.pinned = true;
    then += transfer_seconds(event, s.device);
    bytes += double(event.bytes);
  }
  // Small programs copy their data once, and pinning memory costs as much as such a copy.
  constexpr double kMuch = 64e6;
  const double all = s.kernel_seconds + s.copy_seconds;
  if (bytes < kMuch || now - then < 0.1 * all) return std::nullopt;
  return Advice{
      nullptr,
      fmt::format("{} are copied between host and device through a buffer of the driver, because host memory is "
                  "pageable; that takes {}, the kernels {}",
                  bytes_text(bytes), seconds_text(now), seconds_text(s.kernel_seconds)),
      "allocate the host memory of these copies once with cudaMallocHost, or pin it with cudaHostRegister, and "
      "use it again",
      now - then,
      all / std::max(all - (now - then), 1e-12),
      std::nullopt};
}

}  // namespace warpwise::perf::rules
