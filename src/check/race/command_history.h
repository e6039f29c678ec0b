// The commands that have run and may still matter to the race checker: launches with their blocks, copies and fills
// with the memory that they touched.
//
// Commands run one after the other here. Each comes with what it is certain to follow (exec/queue/stream_order.h). What
// ran earlier and is not among that might as well run at the same time: it is *unordered* with the command that runs.
//
//     history.begin(command);                                  // a command is about to run
//     for (const PastCommand* past : history.unordered()) ...  // may race with it
//     history.add_touch(base, bytes, Touch::Write);            // what it does itself
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "check/race/race_numbers.h"
#include "exec/engine.h"
#include "exec/memory/arena.h"
#include "exec/queue/stream_order.h"

namespace warpwise::check {

// What a copy, a fill or the lifetime of memory of a pool does to a range. Where such memory begins or ends is a write
// of all of it: no other command may access it at the same time.
enum class Touch : uint8_t { Read, Write, Allocation, Free };

struct TouchedRange {
  device::Address base;
  size_t bytes;
  Touch touch;
  bool writes() const { return touch != Touch::Read; }
};

struct PastCommand {
  std::shared_ptr<const exec::StreamOrder::Command> order;
  std::vector<TouchedRange> ranges;
  // Of a launch:
  exec::KernelLaunch launch;  // image is null: a copy
  Serial first = 1;
  std::vector<uint64_t> blocks;  // empty: there were too many
  RaceNumbers numbers;
  std::vector<uint32_t> sites;  // indices into AccessSites, by number

  bool is_launch() const { return launch.image != nullptr; }
};

class CommandHistory {
 public:
  using Order = exec::StreamOrder::Command;

  // A command is about to run.
  void begin(const std::shared_ptr<const Order>& command);
  // The command that runs; null: none has begun yet.
  const std::shared_ptr<const Order>& now() const { return now_; }
  const std::vector<const PastCommand*>& unordered() const { return unordered_; }
  // The unordered launch that has given a thread this number; null: there is none.
  const PastCommand* launch_of(RaceNumbers::Number number) const;

  // The launch that has run; `now()` is its command. Past a limit it keeps no names of blocks.
  void add_launch(PastCommand launch);
  // What the command that runs does by itself. Past a limit further ranges are not kept.
  void add_touch(device::Address base, size_t bytes, Touch touch);

  // Memory that belongs to a new owner from now on.
  void forget(const exec::Region& region);
  void forget_all();

  // Whether a race of these commands has been reported; report_once() says whether this is the first, and it is noted.
  bool is_reported(const PastCommand& past) const { return reported_.contains(pair_with(past)); }
  bool report_once(const PastCommand& past);

 private:
  std::pair<uint64_t, uint64_t> pair_with(const PastCommand& past) const {
    return {past.order->sequence, now_->sequence};
  }

  std::shared_ptr<const Order> now_;
  std::deque<PastCommand> past_;
  std::vector<const PastCommand*> unordered_;         // of past_
  std::set<std::pair<uint64_t, uint64_t>> reported_;  // by sequence
};

}  // namespace warpwise::check
