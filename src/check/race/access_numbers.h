// The numbers of accesses in race cells: gives them out to the launch that runs, and says which access a number names.
//
//     numbers.begin_launch(sites, threads);                           // all numbers below are of earlier launches
//     const Number first = numbers.begin_epoch(kGlobal, serial, 1);   // 0: there are none left
//     const RaceAccess access = numbers.access_of(kGlobal, cell.write, /*writes=*/true);
//
// A launch has about 2^31 numbers for global memory. When they run out, further accesses are not checked, and the
// sink receives a note of that, once for each launch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/finding.h"
#include "check/race/command_history.h"
#include "check/race/launch_blocks.h"
#include "check/race/launch_sites.h"
#include "check/race/race_access.h"
#include "check/race/race_numbers.h"

namespace warpwise::check {

class AccessNumbers {
 public:
  using Number = RaceNumbers::Number;

  AccessNumbers(FindingSink& sink, const AccessSites& sites, const LaunchSites& launch_sites,
                const LaunchBlocks& blocks, const CommandHistory& history)
      : sink_(sink), sites_(sites), launch_sites_(launch_sites), blocks_(blocks), history_(history) {}

  // The first block of a launch is about to run; `threads`: of a block.
  void begin_launch(std::string_view kernel, uint32_t threads);
  // Few numbers are left for another launch, or of shared memory for another block.
  bool is_short(MemorySpace space) const { return of(space).next() > RaceNumbers::kEnd / 2; }
  // The same of all shared memory, of whichever numbers it has.
  bool is_any_shared_short() const { return end_of_shared_ > RaceNumbers::kEnd / 2; }
  // All numbers are free again: no cell holds one.
  void restart();
  // The same for those of shared memory, in the middle of a launch.
  void restart_shared();

  // Host threads have numbers of their own for their shared memory, where they alone use that: each has as many as a
  // launch, which begin where all those of earlier launches have ended.
  RaceNumbers shared_numbers() const { return numbers_of_shared(begin_of_shared_); }
  // The launch has ended, in which a host thread has used these.
  void shared_ended(const RaceNumbers& numbers) { end_of_shared_ = std::max(end_of_shared_, numbers.next()); }
  // What is asked of shared memory from now on concerns these; null: those of the launch.
  void use_shared(RaceNumbers* numbers) { shared_ = numbers ? numbers : &numbers_[kShared]; }

  // A new epoch; 0: there are no numbers left.
  Number begin_epoch(MemorySpace space, Serial serial, uint32_t clock);
  // An epoch of which no number has been used becomes another one.
  void rename_epoch(MemorySpace space, Number first, Serial serial, uint32_t clock) {
    to(space).rename_epoch(first, serial, clock);
  }
  bool is_exhausted() const { return is_exhausted_; }

  // Of the launch that runs.
  const RaceNumbers& of(MemorySpace space) const { return space == kShared ? *shared_ : numbers_[space]; }
  // Smaller numbers are of earlier launches that are over.
  Number first_of(MemorySpace space) const { return space == kShared ? shared_->first() : oldest_; }
  // What a number says that this launch has given out, or one that is unordered with it. Of others only the number is
  // known. `writes`: whether it stands in a write cell.
  RaceAccess access_of(MemorySpace space, Number number, bool writes) const {
    const RaceNumbers* numbers = &of(space);
    const std::vector<uint32_t>* sites = &launch_sites_.by_number(space);
    if (!numbers->has(number)) {
      const PastCommand* past = space == kGlobal ? history_.launch_of(number) : nullptr;
      if (!past) return {.number = number, .writes = writes};
      numbers = &past->numbers, sites = &past->sites;
    }
    const RaceNumbers::Meaning m = numbers->meaning(number);
    const uint32_t index = m.site < sites->size() ? (*sites)[m.site] : 0;
    const AccessSite& site = sites_[index];
    return {.number = number & ~simt::kMarked,
            .serial = m.serial,
            .clock = m.clock,
            .thread = m.thread,
            .site = index,
            .strong = site.strong,
            .atomic = site.atomic,
            .block_scope = site.block_scope,
            .writes = writes};
  }

 private:
  RaceNumbers& to(MemorySpace space) { return space == kShared ? *shared_ : numbers_[space]; }
  RaceNumbers numbers_of_shared(Number first) const;

  FindingSink& sink_;
  const AccessSites& sites_;
  const LaunchSites& launch_sites_;
  const LaunchBlocks& blocks_;
  const CommandHistory& history_;
  RaceNumbers numbers_[kSpaces];
  RaceNumbers* shared_ = &numbers_[kShared];
  Number begin_of_shared_ = 1, end_of_shared_ = 1;  // of this launch, and of all so far
  Number oldest_ = 1;                               // of global memory: smaller numbers are over
  std::string kernel_;
  uint32_t threads_ = 1;
  bool is_exhausted_ = false;
};

}  // namespace warpwise::check
