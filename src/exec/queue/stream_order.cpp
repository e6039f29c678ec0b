#include "exec/queue/stream_order.h"

#include <algorithm>

#include "base/host_place.h"

namespace warpwise::exec {

void StreamOrder::join(Clock& into, const Clock& from) {
  for (auto [stream, sequence] : from) {
    Sequence& known = into[stream];
    known = std::max(known, sequence);
  }
}

std::shared_ptr<const StreamOrder::Command> StreamOrder::submitted(device::StreamId stream, Sequence sequence,
                                                                   const device::Command& command, bool with_host) {
  Clock& tail = tails_[stream];
  join(tail, host_);
  if (stream == 0) {
    for (device::StreamId other : blocking_) join(tail, tails_[other]);
  } else if (blocking_.contains(stream)) {
    join(tail, tails_[0]);
  }
  if (auto* wait = std::get_if<device::WaitEvent>(&command)) join(tail, events_[wait->event]);
  // Anything before may have written the value.
  if (std::holds_alternative<device::WaitValue>(command))
    for (const auto& [other, clock] : tails_)
      if (other != stream) join(tail, clock);
  tail[stream] = sequence;
  if (auto* record = std::get_if<device::RecordEvent>(&command)) events_[record->event] = tail;
  auto made = std::make_shared<Command>(
      Command{stream, sequence, settled_, tail, !with_host && !several_ && tails_.size() == 1, {}});
  if (several_ || with_host || std::holds_alternative<device::CopyFromDevice>(command))
    made->submitted_at = host_place();
  return made;
}

std::shared_ptr<const StreamOrder::Command> StreamOrder::let_go(const Command& held, const device::Command& command) {
  auto made = std::make_shared<Command>(held);
  join(made->before, ran_);
  join(tails_[held.stream], ran_);
  if (auto* record = std::get_if<device::RecordEvent>(&command)) join(events_[record->event], ran_);
  return made;
}

std::shared_ptr<const StreamOrder::Command> StreamOrder::host_acts(Sequence sequence) {
  auto made = std::make_shared<Command>(Command{kHost, sequence, settled_, host_, false, {}});
  host_[kHost] = sequence;
  return made;
}

bool StreamOrder::host_is_after(const Command& command) const {
  if (command.sequence <= settled_) return true;
  auto found = host_.find(command.stream);
  return found != host_.end() && found->second >= command.sequence;
}

void StreamOrder::host_waited_for_all(Sequence last) {
  settled_ = last;
  tails_.clear();
  events_.clear();
  host_.clear();
}

}  // namespace warpwise::exec
