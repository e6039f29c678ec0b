#include "check/sync/barrier_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "check/event_threads.h"
#include "check/source/source_text.h"

namespace warpwise::check {

using exec::ObservedEvent;

namespace {

// Passes of a reconvergence point that are kept: a loop with more rounds is judged by its first ones.
constexpr uint32_t kMostPasses = 1 << 14;

}  // namespace

void BarrierChecks::begin_launch() {
  in_condition_.clear();
  returned_.clear();
}

void BarrierChecks::arrive(const SyncBlock& block, BlockBarriers& state, const ObservedEvent& event,
                           const simt::Site* site) {
  const auto [lane, thread] = *threads_of(event).begin();
  // Warps with different tasks may arrive at a named barrier from several places.
  if (!site || event.addresses[lane] != 0) return;
  const uint32_t count = state.reached[thread];
  for (const EventThread& each : threads_of(event)) ++state.reached[each.thread];
  if (count >= state.first.size()) {
    state.first.resize(count + 1);
    state.first[count] = {site, thread};
    return;
  }
  const Arrival& first = state.first[count];
  if (!first.site || (first.site->function == site->function && first.site->instruction == site->instruction)) return;
  reporter_.different_barriers(block, {site, thread}, first);
}

void BarrierChecks::pass(const SyncBlock& block, BlockBarriers& state, const ObservedEvent& event, bool at_end) {
  const uint64_t point = event.addresses[std::countr_zero(event.mask)];
  std::vector<uint32_t>& passes = state.passes[point];
  if (passes.empty()) passes.assign(state.reached.size(), 0);
  std::vector<BlockBarriers::Pass>& first_passes = state.first_passes[point];
  for (const auto [lane, thread] : threads_of(event)) {
    const uint32_t pass = passes[thread]++, barriers = state.reached[thread];
    if (pass >= kMostPasses) continue;
    if (pass >= first_passes.size()) {
      first_passes.push_back({barriers, thread});
      continue;
    }
    const BlockBarriers::Pass& other = first_passes[pass];
    if (other.barriers == barriers) continue;
    const uint32_t fewer = std::min(barriers, other.barriers);
    const uint32_t left_out = barriers < other.barriers ? thread : other.thread;
    if (fewer >= state.first.size() || !state.first[fewer].site) continue;
    const Arrival& barrier = state.first[fewer];
    const bool is_in_order = at_end ? !stands_in_condition(block, *barrier.site)
                                    : has_returned(block, *barrier.site, block.kernel->site_at(event.pc));
    if (is_in_order) continue;
    reporter_.at_place("C0401",
                       at_end ? kPastToTheEnd : "a barrier that some threads of the block reach and others go past",
                       block, "barrier", barrier, fmt::format("{} goes past it", block.name_of(left_out)));
  }
}

bool BarrierChecks::stands_in_condition(const SyncBlock& block, const simt::Site& barrier) {
  auto [known, fresh] = in_condition_.try_emplace(&barrier, false);
  if (fresh) known->second = is_conditional_without_return(block.place_of(barrier).frames);
  return known->second;
}

bool BarrierChecks::has_returned(const SyncBlock& block, const simt::Site& barrier, const simt::Site* point) {
  if (!point) return false;
  auto [known, fresh] = returned_.try_emplace({&barrier, point}, false);
  if (!fresh) return known->second;
  const CodePlace place = block.place_of(*point);
  if (!place.frames.empty()) known->second = leaves_loop_to_return(block.place_of(barrier).frames, place.frames[0]);
  return known->second;
}

}  // namespace warpwise::check
