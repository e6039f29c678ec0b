#include "check/race/command_history.h"

namespace warpwise::check {

namespace {

// Commands that are remembered while nothing says that they are over, and of each: ranges of a copy, blocks whose
// places are kept by name. Pairs of commands whose race has been reported.
constexpr size_t kMostPast = 128, kMostRanges = 64, kMostBlocks = 1 << 16, kMostReported = 1 << 16;

}  // namespace

void CommandHistory::begin(const std::shared_ptr<const Order>& command) {
  now_ = command;
  unordered_.clear();
  std::erase_if(past_, [&](const PastCommand& past) { return past.order->sequence <= command->settled; });
  while (past_.size() > kMostPast) past_.pop_front();
  for (const PastCommand& past : past_)
    if (!command->is_after(*past.order)) unordered_.push_back(&past);
}

const PastCommand* CommandHistory::launch_of(RaceNumbers::Number number) const {
  for (const PastCommand* past : unordered_)
    if (past->is_launch() && past->numbers.has(number)) return past;
  return nullptr;
}

void CommandHistory::add_launch(PastCommand launch) {
  launch.order = now_;
  if (launch.blocks.size() > kMostBlocks) launch.blocks.clear();
  if (launch.numbers.epochs() > kMostBlocks) launch.numbers.forget_epochs();
  past_.push_back(std::move(launch));
}

void CommandHistory::add_touch(device::Address base, size_t bytes, Touch touch) {
  if (past_.empty() || past_.back().order != now_ || past_.back().is_launch())
    past_.push_back({now_, {}, {}, 1, {}, {}, {}});
  std::vector<TouchedRange>& ranges = past_.back().ranges;
  if (ranges.size() < kMostRanges) ranges.push_back({base, bytes, touch});
}

void CommandHistory::forget(const exec::Region& region) {
  for (PastCommand& past : past_)
    std::erase_if(past.ranges, [&](const TouchedRange& range) { return region.contains(range.base, range.bytes); });
}

void CommandHistory::forget_all() {
  past_.clear();
  unordered_.clear();
}

bool CommandHistory::report_once(const PastCommand& past) {
  if (reported_.size() > kMostReported) reported_.clear();
  return reported_.insert(pair_with(past)).second;
}

}  // namespace warpwise::check
