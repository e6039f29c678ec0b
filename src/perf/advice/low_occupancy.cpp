// Latency that more resident warps would hide, and the resource that limits how many are resident.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"
#include "perf/occupancy/what_if.h"

namespace warpwise::perf::rules {

std::optional<Advice> low_occupancy(const Situation& s) {
  if (s.prediction.occupancy.fraction > 0.7 || s.prediction.limiter.kind == Limit::Kind::Tail) return std::nullopt;
  std::vector<OccupancyChange> changes = better_occupancies(s.device, resources_of(s.launch, s.device));
  const OccupancyChange* best = nullptr;
  double then = s.prediction.seconds;
  for (const OccupancyChange& change : changes) {
    LaunchCounts other = s.launch;
    if (change.resource == device::OccupancyLimit::Registers)
      other.registers = static_cast<uint32_t>(change.to);
    else if (change.resource == device::OccupancyLimit::SharedMemory)
      other.static_shared_bytes = 0, other.dynamic_shared_bytes = static_cast<uint32_t>(change.to);
    else
      continue;  // another block size would change the counts, too
    std::optional<Prediction> p = predict(other, s.device);
    if (p && p->seconds < then) then = p->seconds, best = &change;
  }
  if (!best) return std::nullopt;
  bool registers = best->resource == device::OccupancyLimit::Registers;
  return worth(
      s, then,
      fmt::format("each SM holds {} of {} warps; the limit is {}: {} {} would allow {}", s.prediction.occupancy.warps(),
                  s.device.warps_per_sm(), name_of(best->resource), best->to,
                  registers ? "registers per thread instead of " + std::to_string(best->from)
                            : "bytes of shared memory per block instead of " + std::to_string(best->from),
                  best->occupancy.warps()),
      registers
          ? fmt::format("__launch_bounds__({}, {}) limits the compiler to {} registers; check that it does not spill",
                        s.launch.block.count(), best->occupancy.blocks, best->to)
          : std::string("make the tile smaller, or let more threads share one tile"));
}

}  // namespace warpwise::perf::rules
