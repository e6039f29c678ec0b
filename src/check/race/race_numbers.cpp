#include "check/race/race_numbers.h"

#include <algorithm>

#include "simt/instrument/race_cells.h"

namespace warpwise::check {

RaceNumbers::RaceNumbers(Number first, uint32_t threads, uint32_t sites)
    : of_site_(simt::numbers_of_site(threads)), step_(of_site_ * std::max(1u, sites)) {
  // Aligned, so that the bits of a number give the thread. 0 is no thread.
  first_ = next_ = static_cast<Number>((uint64_t{std::max(1u, first)} + of_site_ - 1) / of_site_ * of_site_);
}

RaceNumbers::Number RaceNumbers::begin_epoch(Serial serial, uint32_t clock) {
  if (uint64_t{next_} + step_ > kEnd) return 0;
  epochs_.push_back({next_, serial, clock});
  next_ += step_;
  return epochs_.back().first;
}

std::vector<RaceNumbers::Epoch>::const_iterator RaceNumbers::epoch_of(Number number) const {
  if (!epochs_.empty() && epochs_.back().first <= number) return epochs_.end() - 1;
  auto behind =
      std::upper_bound(epochs_.begin(), epochs_.end(), number, [](Number n, const Epoch& e) { return n < e.first; });
  return behind == epochs_.begin() ? epochs_.end() : behind - 1;
}

void RaceNumbers::rename_epoch(Number first, Serial serial, uint32_t clock) {
  if (auto found = epoch_of(first); found != epochs_.end())
    epochs_[static_cast<size_t>(found - epochs_.begin())] = {found->first, serial, clock};
}

RaceNumbers::Meaning RaceNumbers::meaning(Number number) const {
  const Number within = (number - first_) % step_;
  const auto found = epoch_of(number);
  const bool known = found != epochs_.end();
  return {number - within,       known ? found->serial : 0, known ? found->clock : 0,
          within % of_site_ / 2, within / of_site_,         (number & simt::kMarked) != 0};
}

}  // namespace warpwise::check
