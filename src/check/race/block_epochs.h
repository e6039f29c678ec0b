// The epochs of a block that runs (simt/instrument/race_cells.h): which numbers its accesses have, and what compiled
// code is shown of them (simt::RaceEpochs).
//
// A block begins an epoch when it begins and at each barrier of all its warps, unless no thread has used a number of
// the last one. A warp that orders something by itself (__syncwarp, a fence, a release) has no number from then on,
// until its next access gets it an epoch of its own:
//
//     all warps      epoch 1 ──barrier── epoch 2 ──────────────────barrier── epoch 4
//     warp 3                                  └─__syncwarp── epoch 3 ──┘
//
// In independent-thread mode compiled code does not compare. All warps at one clock then share an epoch.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "check/race/access_numbers.h"
#include "check/race/race_access.h"
#include "check/race/race_clocks.h"
#include "simt/instrument/race_cells.h"

namespace warpwise::check {

class BlockEpochs {
 public:
  using Number = RaceNumbers::Number;
  using Numbers = std::array<Number, kSpaces>;

  // The block begins. `unused`: epochs that an earlier block has begun and not used; 0: there is none.
  // `alone`: no block of another host thread runs beside it.
  void begin(AccessNumbers& numbers, Serial serial, bool code_compares, bool alone, const Numbers& unused);
  // The epochs of all warps of which no number has been used; 0: some number has.
  Numbers unused() const;

  // Call it after all that may have moved clocks: the next access of warps whose clock has moved gets new numbers.
  void renumber(const BlockClocks& clocks) {
    if (!clocks.together) renumber_warps(clocks);
  }
  // All warps have arrived at a barrier, and the clocks know. A block beside which others run has one epoch for all
  // that it does in global memory.
  void all_warps_arrived(AccessNumbers& numbers, const BlockClocks& clocks);
  // The same for a block beside which others run; `shared`: the numbers of its shared memory, which are its own.
  // False: there are none left, and nothing has happened.
  bool all_warps_arrived(RaceNumbers& shared, const BlockClocks& clocks);
  // The first number of what a warp does now; 0: there are none left.
  Number epoch_of(AccessNumbers& numbers, const BlockClocks& clocks, MemorySpace space, unsigned warp) {
    simt::RaceEpochs::Space& shown = shown_.spaces[space];
    shown.touched = 1;
    const uint32_t clock = clocks.now(warp);
    Number& first = code_compares_ ? shown.now[warp] : at_clock(space, clock);
    if (first == 0) first = begin_epoch(numbers, clocks.serial, space, clock);
    return first;
  }

  // Whether compiled code compares accesses by itself at all.
  bool code_compares() const { return code_compares_; }
  // What it may decide from now on. `quick`: whether accesses are ordered; `barriers_only`: nothing but barriers has
  // ordered any so far; `atomics`: the same for atomics.
  void let_code_decide(bool quick, bool barriers_only, bool atomics);
  // Some thread has released: other things than barriers may order accesses now.
  void something_was_released() { shown_.barriers_only = shown_.sums = 0; }
  // What compiled code reads, as long as the block runs.
  uint64_t shown_at() const { return reinterpret_cast<uint64_t>(&shown_); }

 private:
  Number begin_epoch(AccessNumbers& numbers, Serial serial, MemorySpace space, uint32_t clock);
  void add_to_own(MemorySpace space, Number first, uint32_t step);
  void begin_together(MemorySpace space, const BlockClocks& clocks);
  void renumber_warps(const BlockClocks& clocks);
  Number& at_clock(MemorySpace space, uint32_t clock) {
    std::vector<Number>& epochs = by_clock_[space];
    if (epochs.size() <= clock) epochs.resize(clock + 1);
    return epochs[clock];
  }

  simt::RaceEpochs shown_;
  bool code_compares_ = false, alone_ = true;
  Numbers of_all_warps_{};                 // the epoch that began at the last barrier of all warps
  uint32_t clock_at_[kMostWarps] = {};     // at which RaceEpochs::Space::now was set
  std::vector<Number> by_clock_[kSpaces];  // where code does not compare
};

}  // namespace warpwise::check
