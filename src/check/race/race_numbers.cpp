#include "check/race/race_numbers.h"

#include <algorithm>

namespace warpwise::check {

RaceNumbers::RaceNumbers(Number first, uint32_t threads, uint32_t sites)
    : of_site_(simt::numbers_of_site(threads)), step_(of_site_ * std::max(1u, sites)) {
  // Aligned, so that the bits of a number give the thread. 0 is no thread.
  first_ = next_ = static_cast<Number>((uint64_t{std::max(1u, first)} + of_site_ - 1) / of_site_ * of_site_);
}

RaceNumbers::Number RaceNumbers::begin_epoch(Serial serial, uint32_t clock) {
  if (uint64_t{next_} + step_ > kEnd) return 0;
  epochs_.push_back({serial, clock});
  const Number first = next_;
  next_ += step_;
  return first;
}

void RaceNumbers::rename_epoch(Number first, Serial serial, uint32_t clock) {
  if (const uint32_t index = index_of(first); index < epochs_.size()) epochs_[index] = {serial, clock};
}

}  // namespace warpwise::check
