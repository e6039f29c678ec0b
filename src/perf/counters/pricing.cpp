#include "perf/counters/pricing.h"

#include <bit>

#include "exec/block_run.h"
#include "perf/counters/access_cost.h"

namespace warpwise::perf {

using simt::CountedAccess;
using simt::CountedKind;
using simt::CountedSpace;
using Sums = std::array<AccessSums<uint64_t>, kReached>;

namespace {

// The memory behind a generic address, and the address within it.
Reached resolve(const exec::BlockRun& run, uint64_t address, uint64_t* offset) {
  const simt::BlockContext& c = run.context;
  const uint64_t shared = address - (c.shared - simt::kAliasOffset), local = address - (c.local - simt::kAliasOffset);
  const uint64_t threads = uint64_t{c.ntid[0]} * c.ntid[1] * c.ntid[2];
  if (shared < c.total_shared_bytes) {
    *offset = shared;
    return Reached::Shared;
  }
  if (c.local_stride != 0 && local < threads * c.local_stride) {
    *offset = local % c.local_stride;
    return Reached::Local;
  }
  *offset = address;
  return Reached::Global;
}

bool is_atomic(CountedAccess what) { return what.kind == CountedKind::Atomic || what.kind == CountedKind::Reduction; }

void price_bulk(const exec::CountedLanes& access, AccessSums<uint64_t>& sum) {
  ++sum.requests;
  sum.lanes += unsigned(std::popcount(access.mask));
  for (uint32_t left = access.mask; left != 0; left &= left - 1) sum.cost += access.addresses[std::countr_zero(left)];
}

void price_switch(const exec::CountedLanes& access, AccessSums<uint64_t>& sum) {
  const uint64_t first = access.addresses[std::countr_zero(access.mask)];
  bool parted = false;
  for (uint32_t left = access.mask; left != 0; left &= left - 1) parted = parted || access.addresses[std::countr_zero(left)] != first;
  sum.extra += parted;
}

void price_global(CountedAccess what, const LaneAccess& lanes, uint32_t warp, AccessSums<uint64_t>& sum, BlockTrace& trace) {
  if (what.space == CountedSpace::Const) {
    sum.cost += different_words(lanes);
    return;
  }
  if (is_atomic(what)) sum.extra += collisions(lanes);
  uint64_t sectors[kWarpLanes];
  const unsigned count = sectors_of(lanes, sectors);
  sum.cost += count;
  sum.ideal += ideal_sectors(lanes);
  const Traffic kind = is_atomic(what) ? Traffic::Atomic : what.kind == CountedKind::Store ? Traffic::Store : what.past_l1 ? Traffic::LoadPastL1 : Traffic::Load;
  trace.add(warp, kind, sectors, count);
}

void price_local(CountedAccess what, const LaneAccess& lanes, uint32_t warp, AccessSums<uint64_t>& sum, BlockTrace& trace) {
  uint64_t sectors[kMostLocalSectors];
  const unsigned count = local_sectors(lanes, sectors);
  sum.cost += count;
  sum.ideal += (unsigned(std::popcount(lanes.mask)) * lanes.bytes + 31) / 32;
  // Apart from global memory, and from other warps'.
  for (unsigned n = 0; n < count; ++n) sectors[n] += uint64_t{1} << 58 | uint64_t{warp} << 40;
  trace.add(warp, what.kind == CountedKind::Store ? Traffic::LocalStore : Traffic::LocalLoad, sectors, count);
}

void price_shared(CountedAccess what, const LaneAccess& lanes, AccessSums<uint64_t>& sum) {
  const bool rows = what.kind == CountedKind::LoadRows || what.kind == CountedKind::StoreRows;
  const SharedCost cost = rows ? matrix_cost(lanes, what.rows) : is_atomic(what) ? shared_atomic_cost(lanes) : shared_cost(lanes);
  sum.cost += cost.wavefronts, sum.ideal += cost.ideal;
}

void price_in(Reached where, CountedAccess what, const LaneAccess& lanes, uint32_t warp, Sums& sums, BlockTrace& trace) {
  AccessSums<uint64_t>& sum = sums[size_t(where)];
  const uint32_t named = what.rows == 0 || what.rows >= kWarpLanes ? ~0u : (1u << what.rows) - 1;
  ++sum.requests;
  sum.lanes += unsigned(std::popcount(lanes.mask & named));
  switch (where) {
    case Reached::Global: return price_global(what, lanes, warp, sum, trace);
    case Reached::Shared: return price_shared(what, lanes, sum);
    case Reached::Local: return price_local(what, lanes, warp, sum, trace);
  }
}

}  // namespace

void price(const exec::CountedLanes& access, Sums& sums, BlockTrace& trace) {
  const CountedAccess what = access.what;
  if (what.kind == CountedKind::Bulk) return price_bulk(access, sums[size_t(Reached::Global)]);
  if (what.kind == CountedKind::Switch) return price_switch(access, sums[size_t(Reached::Global)]);
  const LaneAccess lanes{access.mask, access.addresses, what.bytes};
  switch (what.space) {
    case CountedSpace::Global: case CountedSpace::Const: return price_in(Reached::Global, what, lanes, access.warp, sums, trace);
    case CountedSpace::Shared: return price_in(Reached::Shared, what, lanes, access.warp, sums, trace);
    case CountedSpace::Local: return price_in(Reached::Local, what, lanes, access.warp, sums, trace);
    case CountedSpace::Generic: break;
  }
  // Lanes may be in different memories: each is a request of its own.
  uint64_t offsets[kReached][kWarpLanes];
  uint32_t masks[kReached] = {};
  for (uint32_t left = access.mask; left != 0; left &= left - 1) {
    const unsigned lane = unsigned(std::countr_zero(left));
    uint64_t offset;
    const Reached where = resolve(access.run, access.addresses[lane], &offset);
    offsets[size_t(where)][lane] = offset;
    masks[size_t(where)] |= 1u << lane;
  }
  for (unsigned r = 0; r < kReached; ++r)
    if (masks[r] != 0) price_in(Reached(r), what, {masks[r], offsets[r], what.bytes}, access.warp, sums, trace);
}

}  // namespace warpwise::perf
