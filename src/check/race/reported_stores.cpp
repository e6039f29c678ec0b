#include "check/race/reported_stores.h"

#include <algorithm>
#include <cstring>

#include "exec/launch/block_run.h"
#include "exec/memory/arena.h"

namespace warpwise::check {

void ReportedStores::keep(const exec::ObservedEvent& event, uint32_t site, uint32_t clock) {
  Store& store = stores_[event.warp % stores_.size()];
  store.warp = event.warp;
  store.site = site;
  store.clock = clock;
  store.mask = event.mask;
  std::copy_n(event.addresses, simt::kLanes, store.addresses.begin());
  std::copy_n(event.values, simt::kLanes, store.values.begin());
}

uint64_t ReportedStores::value_of(const exec::ObservedEvent& event, const RaceAccess& before, bool own_block,
                                  device::Address address, size_t bytes) const {
  const unsigned warp = before.warp(), lane = before.thread % simt::kLanes;
  const Store& store = stores_[warp % stores_.size()];
  if (event.run.running_thread < 0 && own_block && store.warp == warp && store.site == before.site &&
      store.clock == before.clock && (store.mask >> lane & 1) != 0 && store.addresses[lane] == address)
    return store.values[lane];
  uint64_t there = 0;
  if (own_block &&
      event.run.deferred.read_hidden(warp, exec::engine_view(address), static_cast<uint32_t>(bytes), &there))
    return there;
  std::memcpy(&there, exec::engine_view(address), bytes);
  return there;
}

}  // namespace warpwise::check
