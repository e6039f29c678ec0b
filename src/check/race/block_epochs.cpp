#include "check/race/block_epochs.h"

#include <algorithm>

namespace warpwise::check {

void BlockEpochs::begin(AccessNumbers& numbers, Serial serial, bool code_compares, bool alone, const Numbers& unused) {
  shown_ = {};
  code_compares_ = code_compares, alone_ = alone;
  for (MemorySpace space : {kGlobal, kShared}) {
    by_clock_[space].clear();
    if (!code_compares) continue;
    simt::RaceEpochs::Space& own = shown_.spaces[space];
    own.launch = numbers.first_of(kGlobal);
    own.compares = alone || space == kShared;
    Number first = unused[space];
    if (first != 0) {
      numbers.rename_epoch(space, first, serial, 1);
      own.own = own.ordered = first;
      own.own_count = numbers.of(space).step();
    } else {
      first = begin_epoch(numbers, serial, space, 1);
    }
    of_all_warps_[space] = first;
    std::fill(std::begin(own.now), std::end(own.now), first);
  }
  std::fill(std::begin(clock_at_), std::end(clock_at_), 1);
}

BlockEpochs::Numbers BlockEpochs::unused() const {
  Numbers unused{};
  for (MemorySpace space : {kGlobal, kShared})
    if (shown_.spaces[space].touched == 0) unused[space] = of_all_warps_[space];
  return unused;
}

BlockEpochs::Number BlockEpochs::begin_epoch(AccessNumbers& numbers, Serial serial, MemorySpace space, uint32_t clock) {
  const Number first = numbers.begin_epoch(space, serial, clock);
  if (first == 0) {
    shown_.quick = shown_.sums = 0;
    return 0;
  }
  add_to_own(space, first, numbers.of(space).step());
  return first;
}

void BlockEpochs::add_to_own(MemorySpace space, Number first, uint32_t step) {
  simt::RaceEpochs::Space& own = shown_.spaces[space];
  if (own.own_count != 0 && own.own + own.own_count == first) {
    own.own_count += step;
  } else {
    own.own = own.ordered = first;
    own.own_count = step;
  }
}

// All warps are in the epoch of_all_warps_, of which no number has been used.
void BlockEpochs::begin_together(MemorySpace space, const BlockClocks& clocks) {
  simt::RaceEpochs::Space& own = shown_.spaces[space];
  const Number first = of_all_warps_[space];
  own.touched = 0;
  if (first >= own.own) own.ordered = first;
  std::fill_n(own.now, clocks.warps, first);
}

void BlockEpochs::all_warps_arrived(AccessNumbers& numbers, const BlockClocks& clocks) {
  if (!code_compares_) return;
  const uint32_t clock = clocks.epoch;
  for (MemorySpace space : {kGlobal, kShared}) {
    if (space == kGlobal && !alone_) continue;
    Number& first = of_all_warps_[space];
    if (shown_.spaces[space].touched != 0 || first == 0)
      first = begin_epoch(numbers, clocks.serial, space, clock);
    else
      numbers.rename_epoch(space, first, clocks.serial, clock);
    begin_together(space, clocks);
  }
  std::fill_n(clock_at_, clocks.warps, clock);
}

bool BlockEpochs::all_warps_arrived(RaceNumbers& shared, const BlockClocks& clocks) {
  const uint32_t clock = clocks.epoch;
  Number& first = of_all_warps_[kShared];
  if (shown_.spaces[kShared].touched != 0 || first == 0) {
    const Number next = shared.begin_epoch(clocks.serial, clock);
    if (next == 0) return false;
    add_to_own(kShared, first = next, shared.step());
  } else {
    shared.rename_epoch(first, clocks.serial, clock);
  }
  begin_together(kShared, clocks);
  std::fill_n(clock_at_, clocks.warps, clock);
  return true;
}

void BlockEpochs::renumber_warps(const BlockClocks& clocks) {
  for (unsigned w = 0; w < clocks.warps; ++w) {
    if (clocks.now(w) == clock_at_[w]) continue;
    clock_at_[w] = clocks.now(w);
    for (auto& space : shown_.spaces) space.now[w] = 0;
  }
}

void BlockEpochs::let_code_decide(bool quick, bool barriers_only, bool atomics) {
  shown_.quick = quick;
  shown_.barriers_only = barriers_only;
  shown_.sums = atomics;
}

}  // namespace warpwise::check
