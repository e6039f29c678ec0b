#include "check/race/block_epochs.h"

#include <algorithm>

namespace warpwise::check {

void BlockEpochs::begin(AccessNumbers& numbers, Serial serial, bool code_compares, bool alone, const Numbers& unused) {
  shown_ = {};
  code_compares_ = code_compares;
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
  simt::RaceEpochs::Space& own = shown_.spaces[space];
  const uint32_t step = numbers.of(space).step();
  if (own.own_count != 0 && own.own + own.own_count == first) {
    own.own_count += step;
  } else {
    own.own = own.ordered = first;
    own.own_count = step;
  }
  return first;
}

void BlockEpochs::all_warps_arrived(AccessNumbers& numbers, const BlockClocks& clocks) {
  if (!code_compares_) return;
  const uint32_t clock = clocks.epoch;
  for (MemorySpace space : {kGlobal, kShared}) {
    simt::RaceEpochs::Space& own = shown_.spaces[space];
    Number& first = of_all_warps_[space];
    if (own.touched != 0 || first == 0)
      first = begin_epoch(numbers, clocks.serial, space, clock);
    else
      numbers.rename_epoch(space, first, clocks.serial, clock);
    own.touched = 0;
    if (first >= own.own) own.ordered = first;
    std::fill_n(own.now, clocks.warps, first);
  }
  std::fill_n(clock_at_, clocks.warps, clock);
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
