// The last stores that the warps of a block have reported. Where warps are interleaved, several warps report their
// stores before the first of them happens, so what a writer has written may not be in memory yet:
//
//     warp 0 reports x = 1 │ warp 1 reports x = 1 │ both store       at warp 1's report memory still has the old x
#pragma once

#include <array>
#include <cstdint>

#include "check/race/race_access.h"
#include "exec/observer_events.h"

namespace warpwise::check {

class ReportedStores {
 public:
  void clear() {
    for (Store& store : stores_) store.mask = 0;
  }
  // SIMT mode: a warp is about to store. `site`: index into AccessSites; `clock`: the warp's.
  void keep(const exec::ObservedEvent& store, uint32_t site, uint32_t clock);
  // What the writer `before`, as seen at `event`, has written at an address: up to 8 bytes. `own_block`: the writer is
  // of the event's block.
  uint64_t value_of(const exec::ObservedEvent& event, const RaceAccess& before, bool own_block, device::Address address,
                    size_t bytes) const;

 private:
  struct Store {
    unsigned warp = 0;
    uint32_t site = 0, clock = 0, mask = 0;
    std::array<device::Address, simt::kLanes> addresses;
    std::array<uint64_t, simt::kLanes> values;
  };
  std::array<Store, 8> stores_;  // by warp % 8, the most that are interleaved
};

}  // namespace warpwise::check
