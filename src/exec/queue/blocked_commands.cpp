#include "exec/queue/blocked_commands.h"

#include <set>
#include <utility>

namespace warpwise::exec {

using device::StreamId;

bool BlockedCommands::holds_up(const QueuedCommand& command) const {
  if (held_.empty() || command.by_host) return false;
  if (streams_.contains(command.stream)) return true;
  if (command.stream == 0 ? blocking_ != 0 : command.blocking && streams_.contains(0)) return true;
  return command.awaited != 0 && held_.contains(command.awaited);
}

void BlockedCommands::hold(QueuedCommand command) {
  ++streams_[command.stream];
  if (command.blocking) ++blocking_;
  const Sequence sequence = command.sequence;
  held_.emplace(sequence, std::move(command));
}

void BlockedCommands::release(Sequence sequence) {
  auto found = held_.find(sequence);
  if (found == held_.end()) return;
  if (found->second.blocking) --blocking_;
  if (auto stream = streams_.find(found->second.stream); --stream->second == 0) streams_.erase(stream);
  held_.erase(found);
}

void BlockedCommands::clear() {
  held_.clear();
  streams_.clear();
  blocking_ = 0;
}

QueuedCommand* BlockedCommands::next(const std::function<bool(const device::WaitValue&)>& is_there) {
  std::set<StreamId> before;
  bool blocking_before = false;
  for (auto& [sequence, command] : held_) {
    const bool is_first = !before.contains(command.stream) &&
                          !(command.stream == 0 ? blocking_before : command.blocking && before.contains(0)) &&
                          (command.awaited == 0 || !held_.contains(command.awaited));
    if (is_first) {
      const auto* wait = std::get_if<device::WaitValue>(&command.command);
      if (!wait || is_there(*wait)) return &command;
    }
    before.insert(command.stream);
    blocking_before = blocking_before || command.blocking;
  }
  return nullptr;
}

std::vector<BlockedCommands::Standing> BlockedCommands::standing() const {
  std::vector<Standing> found;
  std::set<StreamId> seen;
  for (const auto& [sequence, command] : held_) {
    const auto* wait = std::get_if<device::WaitValue>(&command.command);
    if (seen.insert(command.stream).second && wait)
      found.push_back({command.stream, *wait, streams_.at(command.stream) - 1});
  }
  return found;
}

bool ends_wait(const device::WaitValue& wait, uint64_t there) {
  // The cyclic comparison is that of signed differences of the word's own size.
  const uint64_t mask = wait.bytes == 8 ? ~uint64_t{0} : 0xffffffff;
  switch (wait.test) {
    case device::WaitValue::Test::AtLeast:
      return ((there - wait.value) & (mask ^ (mask >> 1))) == 0;
    case device::WaitValue::Test::Equal:
      return ((there ^ wait.value) & mask) == 0;
    case device::WaitValue::Test::And:
      return (there & wait.value & mask) != 0;
    case device::WaitValue::Test::Nor:
      return (~(there | wait.value) & mask) != 0;
  }
  return false;
}

}  // namespace warpwise::exec
