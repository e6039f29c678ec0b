// Commands whose turn has come and that may not run yet: streams that stand still while others go on.
//
//     stream 1   wait until *flag >= 1 ─ kernel ─ record e    held, all three
//     stream 2   kernel ─ write 1 to flag                     goes on
//     stream 3   wait for e ─ copy                            held: e has not been reached
//     default    copy                                         held, if stream 1 or 3 is a blocking one
//
// The queue takes commands in the order of their submission. One that waits for a value which is not there yet is put
// here, and whatever has to come behind a blocked one follows it. Before anything newer is taken, the oldest blocked
// command that can go on goes on, so the same program keeps to one order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "device/device.h"
#include "exec/queue/stream_order.h"

namespace warpwise::exec {

struct QueuedCommand {
  using Sequence = uint64_t;  // commands are numbered from 1
  Sequence sequence = 0;
  device::StreamId stream = 0;
  device::Command command;
  std::shared_ptr<const StreamOrder::Command> order;  // where it is kept
  uint64_t submitted = 0;                             // where time is modelled, when and by which thread
  unsigned thread = 0;
  bool blocking = true;  // its stream and the default one wait for each other
  bool by_host = false;  // the host's own deed, which is of no stream
  Sequence awaited = 0;  // of a wait for an event: the command that records it; 0: none
};

class BlockedCommands {
 public:
  using Sequence = QueuedCommand::Sequence;

  bool empty() const { return held_.empty(); }
  bool contains(Sequence sequence) const { return held_.contains(sequence); }
  // Whether the command, newer than all that is held, has to come behind one of them.
  bool holds_up(const QueuedCommand& command) const;
  void hold(QueuedCommand command);
  // The oldest command that is behind no other one and whose value is there; null when there is none. It stays held,
  // for the commands that wait for it, until it is released.
  QueuedCommand* next(const std::function<bool(const device::WaitValue&)>& is_there);
  QueuedCommand* oldest() { return held_.empty() ? nullptr : &held_.begin()->second; }
  void release(Sequence sequence);
  void clear();

  // The waits at which streams stand, and how many commands stand in the same stream behind each.
  struct Standing {
    device::StreamId stream;
    device::WaitValue wait;
    size_t behind;
  };
  std::vector<Standing> standing() const;

 private:
  std::map<Sequence, QueuedCommand> held_;
  std::map<device::StreamId, size_t> streams_;  // how many commands are held of each
  size_t blocking_ = 0;                         // how many of them are of blocking streams
};

// Whether what is in memory ends the wait (CUstreamWaitValue_flags).
bool ends_wait(const device::WaitValue& wait, uint64_t there);

}  // namespace warpwise::exec
