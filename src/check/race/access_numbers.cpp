#include "check/race/access_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/demangled.h"

namespace warpwise::check {

void AccessNumbers::begin_launch(std::string_view kernel, uint32_t threads) {
  kernel_ = kernel;
  threads_ = threads;
  is_exhausted_ = false;
  numbers_[kGlobal] =
      RaceNumbers(numbers_[kGlobal].next(), threads, static_cast<uint32_t>(launch_sites_.by_number(kGlobal).size()));
  begin_of_shared_ = end_of_shared_;
  numbers_[kShared] = shared_numbers();
  use_shared(nullptr);
  oldest_ = numbers_[kGlobal].first();
  for (const PastCommand* past : history_.unordered())
    if (past->is_launch()) oldest_ = std::min(oldest_, past->numbers.first());
}

void AccessNumbers::restart() {
  for (RaceNumbers& numbers : numbers_) numbers = {};
  end_of_shared_ = 1;
}

void AccessNumbers::restart_shared() { *shared_ = numbers_of_shared(1); }

RaceNumbers AccessNumbers::numbers_of_shared(Number first) const {
  return RaceNumbers(first, threads_, static_cast<uint32_t>(launch_sites_.by_number(kShared).size()));
}

AccessNumbers::Number AccessNumbers::begin_epoch(MemorySpace space, Serial serial, uint32_t clock) {
  const Number first = to(space).begin_epoch(serial, clock);
  shared_ended(*shared_);
  if (first == 0 && !std::exchange(is_exhausted_, true))
    sink_.note_unchecked(
        fmt::format("races in blocks of `{}` beyond the first {}", demangled(kernel_), blocks_.count()));
  return first;
}

}  // namespace warpwise::check
