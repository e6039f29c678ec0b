#include "perf/counters/pricing.h"

#include <algorithm>
#include <bit>

#include "exec/launch/block_run.h"
#include "perf/counters/access_cost.h"

namespace warpwise::perf {

using simt::CountedAccess;
using simt::CountedKind;
using simt::CountedSpace;
using Sums = std::array<AccessSums<uint64_t>, kReached>;

namespace {

// Of a matrix load those that name rows; of all others all.
uint32_t first_lanes(unsigned rows) { return rows == 0 || rows >= kWarpLanes ? ~0u : (1u << rows) - 1; }

bool is_atomic(CountedAccess what) { return what.kind == CountedKind::Atomic || what.kind == CountedKind::Reduction; }

void price_switch(const exec::CountedLanes& access, AccessSums<uint64_t>& sum) {
  const uint64_t first = access.addresses[std::countr_zero(access.mask)];
  bool divergent = false;
  for (uint32_t left = access.mask; left != 0; left &= left - 1)
    divergent = divergent || access.addresses[std::countr_zero(left)] != first;
  sum.extra += divergent;
}

Traffic traffic_of(CountedAccess what) {
  switch (what.kind) {
    case CountedKind::Atomic:
      return Traffic::Atomic;
    case CountedKind::Reduction:
      return Traffic::Reduction;
    case CountedKind::Store:
      return Traffic::Store;
    default:
      return what.past_l1 ? Traffic::LoadPastL1 : Traffic::Load;
  }
}

// The sectors that an atomic sends to L2: a sector's lanes go at once, but for those that name the same address, which
// go one after the other and are a sector each (as ncu counts them on an H200: 195,918 for examples/histogram, where
// this says 191,291 and the different sectors of its accesses are 134,183; one that is not whole is two there, unless
// it is the line's only one). What they take at their slice, the trace is told (atomic_turns.h).
unsigned price_contention(const LaneAccess& lanes, const AtomicTurns& atomic, AccessSums<uint64_t>& sum,
                          BlockTrace* trace) {
  const unsigned together = collisions(lanes), active = unsigned(std::popcount(lanes.mask));
  sum.extra += together;
  uint64_t sorted[kWarpLanes];
  unsigned count = 0;
  for (uint32_t left = lanes.mask; left != 0; left &= left - 1)
    sorted[count++] = lanes.addresses[std::countr_zero(left)];
  if (atomic.combined && together + 1 == active) count = 1;
  std::sort(sorted, sorted + count);
  constexpr unsigned kSectorShift = 5, kLineShift = 7, kSliceShift = 9;
  unsigned all = 0;
  for (unsigned at = 0; at < count;) {
    const uint64_t line = sorted[at] >> kLineShift;
    unsigned sectors = 0, turns = 0, in_sectors = 0, in_part = 0;
    while (at < count && sorted[at] >> kLineShift == line) {
      const uint64_t sector = sorted[at] >> kSectorShift;
      unsigned most = 0, bytes = 0;
      while (at < count && sorted[at] >> kSectorShift == sector) {
        const unsigned first = at;
        while (at < count && sorted[at] == sorted[first]) ++at;
        most = std::max(most, at - first), bytes += lanes.bytes;
      }
      ++in_sectors;
      sectors += most, in_part += most == 1 && bytes < 32;
      turns += (bytes < 32 ? kPartTurns : kWholeTurns) + atomic.more + (most - 1) * kAgainTurns;
      if (trace && most > 1 && atomic.again > kAgainTurns) trace->follow(sector, most * atomic.again);
    }
    if (in_sectors > 1) sectors += in_part;
    if (trace) trace->contend(line >> (kSliceShift - kLineShift), turns);
    all += sectors;
  }
  return all;
}

// Turns in which L1 looks up the lines of a load: in each, one for each of the four places that a sector has in its
// line. Measured on an H200, by loads of 1 to 16 bytes that hit L1: 32 lanes 32, 64 and 128 bytes apart take 8, 16 and
// 32 clocks, 132 bytes apart 8, 144 to 1056 apart (with all four places) 8 to 13, and in random lines, where the
// fullest place has 11 of them on average, 6 to 14.
unsigned lookups_of(const uint64_t* sectors, unsigned count) {
  constexpr unsigned kSectorsOfLine = 4;
  unsigned in_place[kSectorsOfLine] = {}, most = 0;
  for (unsigned n = 0; n < count; ++n) most = std::max(most, ++in_place[sectors[n] % kSectorsOfLine]);
  return most;
}

// Of sectors, in order.
unsigned lines_of(const uint64_t* sectors, unsigned count) {
  constexpr unsigned kSectorsOfLineShift = 2;
  unsigned lines = count > 0;
  for (unsigned n = 1; n < count; ++n)
    lines += sectors[n] >> kSectorsOfLineShift != sectors[n - 1] >> kSectorsOfLineShift;
  return lines;
}

// The lines of 64 bytes that lanes go to, one after the other.
void price_constant(const LaneAccess& lanes, uint32_t warp, BlockTrace& trace) {
  constexpr uint64_t kLine = 64;
  uint64_t last = ~uint64_t{0};
  for (uint32_t left = lanes.mask; left != 0; left &= left - 1) {
    const uint64_t line = lanes.addresses[std::countr_zero(left)] / kLine;
    if (line != last) trace.constant(warp, line);
    last = line;
    if (lanes.one_address) return;
  }
}

void price_global(CountedAccess what, const AtomicTurns& atomic, const LaneAccess& lanes, uint32_t warp,
                  AccessSums<uint64_t>& sum, BlockTrace* trace) {
  if (what.space == CountedSpace::Const) {
    sum.cost += different_words(lanes);
    if (trace) price_constant(lanes, warp, *trace);
    return;
  }
  uint64_t sectors[kWarpLanes];
  const auto [count, bytes] = global_cost(lanes, sectors);
  sum.cost += is_atomic(what) ? price_contention(lanes, atomic, sum, trace) : count;
  if (!is_atomic(what))
    sum.extra += what.kind == CountedKind::Load ? lookups_of(sectors, count) : lines_of(sectors, count);
  sum.ideal += ideal_sectors(bytes);
  sum.bytes += bytes;
  if (trace) trace->add(warp, traffic_of(what), sectors, count);
}

void price_local(CountedAccess what, const LaneAccess& lanes, uint32_t warp, AccessSums<uint64_t>& sum,
                 BlockTrace* trace) {
  uint64_t sectors[kMostLocalSectors];
  const unsigned count = local_sectors(lanes, sectors);
  sum.cost += count;
  sum.ideal += (unsigned(std::popcount(lanes.mask)) * lanes.bytes + 31) / 32;
  // Apart from global memory, and from other warps'.
  for (unsigned n = 0; n < count; ++n) sectors[n] += uint64_t{1} << 58 | uint64_t{warp} << 40;
  if (trace)
    trace->add(warp, what.kind == CountedKind::Store ? Traffic::LocalStore : Traffic::LocalLoad, sectors, count);
}

void price_shared(CountedAccess what, SharedAtomic atomic, const LaneAccess& lanes, AccessSums<uint64_t>& sum) {
  const bool rows = what.kind == CountedKind::LoadRows || what.kind == CountedKind::StoreRows;
  const SharedCost cost = rows              ? matrix_cost(lanes, what.rows)
                          : is_atomic(what) ? shared_atomic_cost(lanes, atomic)
                                            : shared_cost(lanes);
  sum.cost += cost.wavefronts, sum.ideal += cost.ideal, sum.extra += cost.more;
  sum.bytes += different_bytes(rows ? LaneAccess{lanes.mask & first_lanes(what.rows), lanes.addresses, 16} : lanes);
}

}  // namespace

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

void price_in(Reached where, CountedAccess what, const AtomicTurns& atomic, const LaneAccess& lanes, uint32_t warp,
              Sums& sums, BlockTrace* trace) {
  AccessSums<uint64_t>& sum = sums[size_t(where)];
  ++sum.requests;
  sum.lanes += unsigned(std::popcount(lanes.mask & first_lanes(what.rows)));
  switch (where) {
    case Reached::Global:
      return price_global(what, atomic, lanes, warp, sum, trace);
    case Reached::Shared:
      return price_shared(what, atomic.shared, lanes, sum);
    case Reached::Local:
      return price_local(what, lanes, warp, sum, trace);
  }
}

bool price_one(const exec::CountedAddress& access, Sums& sums, BlockTrace& trace) {
  const CountedAccess what = access.what;
  if (what.kind != CountedKind::Load && what.kind != CountedKind::Store) return false;
  if (what.space != CountedSpace::Global && what.space != CountedSpace::Generic) return false;
  uint64_t address = access.address;
  if (what.space == CountedSpace::Generic && resolve(access.run, address, &address) != Reached::Global) return false;
  AccessSums<uint64_t>& sum = sums[size_t(Reached::Global)];
  ++sum.requests, ++sum.cost, ++sum.extra;
  sum.lanes += access.mask == ~0u ? kWarpLanes : unsigned(std::popcount(access.mask));
  sum.ideal += ideal_sectors(what.bytes);
  sum.bytes += what.bytes;
  const uint64_t sector = address / 32;
  trace.add(access.warp, traffic_of(what), &sector, 1);
  return true;
}

void price(const exec::CountedLanes& access, const AtomicTurns& atomic, Sums& sums, BlockTrace& trace) {
  const CountedAccess what = access.what;
  if (what.kind == CountedKind::Switch) return price_switch(access, sums[size_t(Reached::Global)]);
  const LaneAccess lanes{access.mask, access.addresses, what.bytes, access.one_address};
  switch (what.space) {
    case CountedSpace::Global:
    case CountedSpace::Const:
      return price_in(Reached::Global, what, atomic, lanes, access.warp, sums, &trace);
    case CountedSpace::Shared:
      return price_in(Reached::Shared, what, atomic, lanes, access.warp, sums, &trace);
    case CountedSpace::Local:
      return price_in(Reached::Local, what, atomic, lanes, access.warp, sums, &trace);
    case CountedSpace::Generic:
      break;
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
    if (masks[r] != 0)
      price_in(Reached(r), what, atomic, {masks[r], offsets[r], what.bytes}, access.warp, sums, &trace);
}

}  // namespace warpwise::perf
