// Large copies from memory that the driver must copy first.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"
#include "perf/timing/transfer.h"

namespace warpwise::perf::rules {

using Kind = HostEvent::Kind;

std::optional<Advice> pageable_copies(const ProgramSituation& s) {
  double bytes = 0, now = 0, then = 0, all = 0;
  constexpr uint64_t kLarge = 1 << 20;
  for (HostEvent event : s.profile.events) {
    if (event.kind != Kind::CopyToDevice && event.kind != Kind::CopyToHost) continue;
    all += seconds_of(event, s.device);
    if (event.pinned || event.bytes < kLarge) continue;
    bytes += double(event.bytes);
    now += seconds_of(event, s.device);
    event.pinned = true;
    then += seconds_of(event, s.device);
  }
  double whole = s.kernel_seconds + all;
  if (bytes == 0 || now - then < 0.1 * whole) return std::nullopt;
  return Advice{nullptr, fmt::format("{:.0f} MB are copied from or to memory that is not page-locked", bytes / 1e6),
                "allocate the host's buffers with cudaMallocHost (and reuse them: allocating is slow)", now - then, whole / std::max(whole - (now - then), 1e-12),
                std::nullopt};
}

}  // namespace warpwise::perf::rules
