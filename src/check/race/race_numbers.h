// The numbers in race cells (simt/instrument/race_cells.h): given out by the epoch, and read back.
//
// A launch gives each epoch as many numbers as its threads and sites need, in the order in which epochs begin. Which
// block and which of its clocks an epoch was is kept in a list, so a cell of 32 bits names a thread, a moment and an
// instruction.
#pragma once

#include <cstdint>
#include <vector>

#include "check/race/race_clocks.h"
#include "simt/instrument/race_cells.h"

namespace warpwise::check {

class RaceNumbers {
 public:
  using Number = uint32_t;
  static constexpr Number kEnd = 0xfff0'0000;  // none is as large

  // What a number says; `site` counts those of the launch.
  struct Meaning {
    Number epoch;  // its first number
    Serial serial;
    uint32_t clock, thread, site;
    bool marked;
  };

  RaceNumbers() = default;
  // Numbers from `first` on.
  RaceNumbers(Number first, uint32_t threads, uint32_t sites);

  Number first() const { return first_; }
  Number next() const { return next_; }
  uint32_t step() const { return step_; }  // numbers of an epoch
  uint32_t of_site() const { return of_site_; }
  bool has(Number number) const { return number >= first_ && number < next_; }

  // A new epoch; 0: there are no numbers left.
  Number begin_epoch(Serial serial, uint32_t clock);
  // An epoch of which no number has been used becomes another one.
  void rename_epoch(Number first, Serial serial, uint32_t clock);
  // Of a number that was given out. Asked for most accesses that are compared.
  Meaning meaning(Number number) const {
    const uint32_t index = index_of(number), within = number - first_ - index * step_;
    const bool known = index < epochs_.size();
    return {number - within,
            known ? epochs_[index].serial : 0,
            known ? epochs_[index].clock : 0,
            (within & (of_site_ - 1)) / 2,
            within / of_site_,
            (number & simt::kMarked) != 0};
  }
  // Thread and epoch are the same. Most numbers that are compared are of different threads, which the bits show.
  bool is_same(Number one, Number other) const {
    return ((one ^ other) & (of_site_ - 2)) == 0 && has(one) && has(other) && index_of(one) == index_of(other);
  }
  // ... or all but the thread.
  bool is_one_instruction(Number one, Number other) const { return (one ^ other) < of_site_; }

  size_t epochs() const { return epochs_.size(); }
  void forget_epochs() { epochs_.clear(), epochs_.shrink_to_fit(); }  // meanings have serial 0 then

 private:
  struct Epoch {
    Serial serial;
    uint32_t clock;
  };
  // Epochs have as many numbers each, so their place in the list follows from a number.
  uint32_t index_of(Number number) const { return (number - first_) / step_; }

  Number first_ = 1, next_ = 1;
  uint32_t of_site_ = 64, step_ = 64;  // a power of two, and a multiple of it
  std::vector<Epoch> epochs_;          // unless they are forgotten: then there are no new ones
};

}  // namespace warpwise::check
