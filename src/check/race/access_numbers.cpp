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
  for (MemorySpace space : {kGlobal, kShared})
    numbers_[space] =
        RaceNumbers(numbers_[space].next(), threads, static_cast<uint32_t>(launch_sites_.by_number(space).size()));
  oldest_ = numbers_[kGlobal].first();
  for (const PastCommand* past : history_.unordered())
    if (past->is_launch()) oldest_ = std::min(oldest_, past->numbers.first());
}

void AccessNumbers::restart() {
  for (RaceNumbers& numbers : numbers_) numbers = {};
}

void AccessNumbers::restart_shared() {
  numbers_[kShared] = RaceNumbers(1, threads_, static_cast<uint32_t>(launch_sites_.by_number(kShared).size()));
}

AccessNumbers::Number AccessNumbers::begin_epoch(MemorySpace space, Serial serial, uint32_t clock) {
  const Number first = numbers_[space].begin_epoch(serial, clock);
  if (first == 0 && !std::exchange(is_exhausted_, true))
    sink_.note_unchecked(
        fmt::format("races in blocks of `{}` beyond the first {}", demangled(kernel_), blocks_.count()));
  return first;
}

}  // namespace warpwise::check
