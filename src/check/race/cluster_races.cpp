#include "check/race/cluster_races.h"

namespace warpwise::check {

void ClusterRaces::follow(const RaceBlock& visitor, const RaceAccess& access, device::Address address, uint8_t bytes) {
  RaceBlock* owner = blocks_.with_shared(address);
  if (owner && owner != &visitor) owner->visits[{access.serial, access.warp()}] = {access, address, bytes};
}

void ClusterRaces::block_ends(const exec::KernelLaunch& launch, RaceBlock& block) {
  for (const auto& [visitor, visit] : block.visits) {
    const auto& [serial, from] = visitor;
    bool is_awaited = false;
    for (unsigned warp = 0; warp < block.clocks.warps && !is_awaited; ++warp)
      is_awaited = clocks_.is_before(block.clocks, warp, serial, from, visit.access.clock);
    if (!is_awaited)
      reporter_.cluster(launch, visit.access, visit.address, visit.bytes, block.index, block.shared,
                        block.shared_bytes);
  }
  block.visits.clear();
  block.shared_bytes = 0;
}

}  // namespace warpwise::check
