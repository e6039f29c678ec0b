// The part of the race checker that knows when the blocks of a cluster end: C0211.
//
// A block can use the shared memory of another block of its cluster, which is gone when that block is:
//
//     cluster.sync();
//     y = cluster.map_shared_rank(s, 1)[i];      block 1 may have ended, unless it waits for this
//
// An access is in order when some thread of the block that is visited comes after it. Of each warp the last access
// counts: a thread that comes after it comes after all of them.
#include <fmt/format.h>

#include "check/race/race_checker.h"
#include "check/source/places.h"

namespace warpwise::check {

using device::Address;
using exec::ObservedEvent;

void RaceChecker::note_visit(const ObservedEvent& access, const Entry& entry, bool writes, Address address,
                             uint8_t bytes) {
  for (const auto& [run, state] : states_) {
    if (address - state->shared >= state->shared_bytes) continue;
    if (state.get() != access.run.watched)
      state->visits[{entry.serial, entry.thread / simt::kLanes}] = {entry.clock, entry.thread, entry.site,
                                                                    writes,      address,      bytes};
    return;
  }
}

void RaceChecker::block_ends(BlockState& state) {
  const unsigned warps = (state.clocks.threads + simt::kLanes - 1) / simt::kLanes;
  for (const auto& [visitor, visit] : state.visits) {
    bool is_awaited = false;
    for (unsigned warp = 0; warp < warps && !is_awaited; ++warp)
      is_awaited = clocks_.is_before(state.clocks, warp, visitor.first, visitor.second, visit.clock);
    if (!is_awaited) report_visit(state, visitor.first, visit);
  }
  state.visits.clear();
  state.shared_bytes = 0;
}

void RaceChecker::report_visit(const BlockState& state, Serial serial, const BlockState::Visit& visit) {
  FindingSink::Cause& cause = reported_visits_[visit.site];
  if (cause != 0) return sink_.again(cause);
  const Site& site = sites_[visit.site];
  const uint64_t index = serial - first_serial_;
  const char* role = visit.writes ? "write" : "read";
  Finding finding = make_finding(
      "C0211", fmt::format("{} of the shared memory of another block of the cluster, which may have ended", role));
  finding.parties.push_back(
      thread_party(*launch_, role, index < block_of_.size() ? block_of_[index] : 0, visit.thread, site.place()));
  finding.memory = MemoryPlace{.space = "shared",
                               .address = visit.address,
                               .bytes = visit.bytes,
                               .base = state.shared,
                               .size = state.shared_bytes,
                               .allocated = true};
  const device::Dim3 other = launch_->block_at(state.block);
  finding.notes.push_back(
      fmt::format("no thread of block ({},{},{}) waits for the access before it ends", other.x, other.y, other.z));
  cause = sink_.report(std::move(finding));
}

}  // namespace warpwise::check
