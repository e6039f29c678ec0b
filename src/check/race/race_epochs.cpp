// The part of the race checker that gives out numbers (race_numbers.h) and shows compiled code where they stand
// (simt::RaceEpochs).
//
// A block begins an epoch when it begins and at each barrier of all its warps, unless no thread has used a number of
// the last one. A warp that orders something by itself (__syncwarp, a fence, a release) has no number from then on,
// until it accesses something: it comes here and gets an epoch of its own.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/demangled.h"
#include "check/race/race_checker.h"
#include "check/source/places.h"
#include "exec/memory/arena.h"
#include "ptx/isa/isa.h"

namespace warpwise::check {

using exec::BlockRun;

namespace {

// A launch begins with at least so many numbers, and a block with so many of shared memory.
constexpr uint32_t kFewNumbers = RaceNumbers::kEnd / 2;

}  // namespace

// What the code of a launch says of itself is known when its first block is about to run.
void RaceChecker::prepare(const BlockRun& run) {
  prepared_ = true;
  const simt::CompiledKernel& kernel = run.launch.kernel.about();
  one_by_one_ = kernel.mode == simt::Mode::Simt && !kernel.spins;
  last_ = nullptr;
  launch_sites_.clear();
  for (auto& numbered : numbered_) numbered.clear();
  watched_sites_ = kernel.watched_sites;
  scoped_ = false;
  for (const simt::WatchedSite& site : watched_sites_) {
    const uint32_t index = site_index(site, run.launch.kernel.calls_around(site.call));
    launch_sites_.push_back(index);
    scoped_ = scoped_ || (sites_[index].atomic && sites_[index].block_scope);
    for (unsigned space = 0; space < kSpaces; ++space) {
      if (site.number[space] == simt::WatchedSite::kNone) continue;
      numbered_[space].resize(std::max<size_t>(numbered_[space].size(), site.number[space] + 1));
      numbered_[space][site.number[space]] = index;
    }
  }
  if (numbers_[kGlobal].next() > kFewNumbers || numbers_[kShared].next() > kFewNumbers) forget_numbers();
  const uint32_t threads = static_cast<uint32_t>(launch_->block.count());
  for (unsigned space = 0; space < kSpaces; ++space)
    numbers_[space] = RaceNumbers(numbers_[space].next(), threads, static_cast<uint32_t>(numbered_[space].size()));
  oldest_ = numbers_[kGlobal].first();
  for (const PastCommand* past : history_.unordered())
    if (past->is_launch()) oldest_ = std::min(oldest_, past->numbers.first());
}

// All cells are free again. What earlier launches did is over but for those of other streams, which are lost here.
void RaceChecker::forget_numbers() {
  cells_.forget_all();
  history_.forget_all();
  for (RaceNumbers& numbers : numbers_) numbers = {};
}

RaceChecker::Number RaceChecker::begin_epoch(BlockState& state, Space space, uint32_t clock) {
  RaceNumbers& numbers = numbers_[space];
  const Number first = numbers.begin_epoch(state.clocks.serial, clock);
  if (first == 0) {
    if (!std::exchange(exhausted_, true))
      sink_.note_unchecked(fmt::format("races in blocks of `{}` beyond the first {}",
                                      demangled(launch_->image->function().name), block_of_.size()));
    state.epochs.quick = state.epochs.sums = 0;
    return 0;
  }
  simt::RaceEpochs::Space& own = state.epochs.spaces[space];
  if (own.own_count != 0 && own.own + own.own_count == first)
    own.own_count += numbers.step();
  else
    own.own = own.ordered = first, own.own_count = numbers.step();
  return first;
}

void RaceChecker::begin_numbers(BlockRun& run, BlockState& state) {
  const simt::CompiledKernel& kernel = run.launch.kernel.about();
  state.compares = kernel.mode == simt::Mode::Simt;
  // Another block's shared memory is not checked here.
  if (one_by_one_ && numbers_[kShared].next() > kFewNumbers) {
    CellMemory::clear(run.context.shared - simt::kAliasOffset, run.context.total_shared_bytes);
    numbers_[kShared] =
        RaceNumbers(1, static_cast<uint32_t>(launch_->block.count()), static_cast<uint32_t>(numbered_[kShared].size()));
    last_ = nullptr;
  }
  const BlockState* last = std::exchange(last_, one_by_one_ ? &state : nullptr);
  const simt::RaceEpochs before = last ? last->epochs : simt::RaceEpochs{};
  const Number unused[kSpaces] = {last && before.spaces[kGlobal].touched == 0 ? last->together[kGlobal] : 0,
                                  last && before.spaces[kShared].touched == 0 ? last->together[kShared] : 0};
  state.epochs = {};
  for (BlockState::Store& store : state.stores) store.mask = 0;
  for (Space space : {kGlobal, kShared}) {
    state.by_clock[space].clear();
    if (!state.compares) continue;
    simt::RaceEpochs::Space& own = state.epochs.spaces[space];
    own.launch = oldest_;
    Number first = unused[space];
    if (first != 0) {
      numbers_[space].rename_epoch(first, state.clocks.serial, 1);
      own.own = own.ordered = first, own.own_count = numbers_[space].step();
    } else {
      first = begin_epoch(state, space, 1);
    }
    state.together[space] = first;
    std::fill(std::begin(own.now), std::end(own.now), first);
  }
  std::fill(std::begin(state.clock_at), std::end(state.clock_at), 1);
  decide_how_to_compare(state);
}

void RaceChecker::decide_how_to_compare(BlockState& state) {
  if (!state.compares) return;
  const bool quick = !exhausted_ && history_.unordered().empty() && state.copies.empty() && !locks_.is_held();
  const bool barriers_only = clocks_.only_barriers_order();
  state.epochs.quick = quick;
  state.epochs.barriers_only = barriers_only;
  state.epochs.sums = quick && barriers_only && !scoped_;
  if (barriers_only || std::exchange(released_, true)) return;
  for (auto& [run, other] : states_)
    other->epochs.barriers_only = other->epochs.sums = 0;  // what was released may be acquired
}

// All warps have arrived at a barrier.
void RaceChecker::all_warps_arrived(BlockState& state) {
  clocks_.all_warps_arrived(state.clocks);
  if (!state.compares) return;
  const uint32_t clock = state.clocks.epoch;
  for (Space space : {kGlobal, kShared}) {
    simt::RaceEpochs::Space& own = state.epochs.spaces[space];
    Number& first = state.together[space];
    if (own.touched != 0 || first == 0)
      first = begin_epoch(state, space, clock);
    else
      numbers_[space].rename_epoch(first, state.clocks.serial, clock);
    own.touched = 0;
    if (first >= own.own) own.ordered = first;
    std::fill_n(own.now, state.clocks.warps, first);
  }
  std::fill_n(state.clock_at, state.clocks.warps, clock);
}

// Behind whatever may have moved clocks: warps whose numbers are no longer theirs.
void RaceChecker::renumber(BlockState& state) {
  const BlockClocks& clocks = state.clocks;
  if (clocks.together) return;
  for (unsigned w = 0; w < clocks.warps; ++w) {
    if (clocks.now(w) == state.clock_at[w]) continue;
    state.clock_at[w] = clocks.now(w);
    for (auto& space : state.epochs.spaces) space.now[w] = 0;
  }
}

// The first number of what a warp does now; 0: there is none left.
RaceChecker::Number RaceChecker::epoch_of(BlockState& state, Space space, unsigned warp) {
  const uint32_t clock = state.clocks.now(warp);
  state.epochs.spaces[space].touched = 1;
  if (state.compares) {
    uint32_t& now = state.epochs.spaces[space].now[warp];
    if (now == 0) now = begin_epoch(state, space, clock);
    return now;
  }
  std::vector<Number>& epochs = state.by_clock[space];
  if (epochs.size() <= clock) epochs.resize(clock + 1);
  if (epochs[clock] == 0) epochs[clock] = begin_epoch(state, space, clock);
  return epochs[clock];
}

}  // namespace warpwise::check
