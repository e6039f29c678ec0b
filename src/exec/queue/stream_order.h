// The order that is promised to a program for its work on the device (CUDA C++ Programming Guide, Streams).
//
// The queue runs one command after the other, which hides a missing event or synchronisation. So each command is given
// a clock when it is submitted: for each stream, the number of that stream's last command that is certainly over when
// this one begins.
//
//     kernel 1 in stream a                    {a: 1}
//     record event e in a; b waits for e      {a: 1}   goes to what b does next
//     kernel 4 in stream b                    {a: 1, b: 4}: behind kernel 1
//     kernel 5 in stream c                    {c: 5}: beside both
//
// Streams keep their own order; the default stream waits for all blocking ones and they for it; what the host has
// waited for is before all that it submits from then on, and so is what a host function came behind. The threads of the
// program are taken for one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>

#include "base/finding.h"
#include "device/device.h"

namespace warpwise::exec {

class StreamOrder {
 public:
  using Sequence = uint64_t;
  using Clock = std::map<device::StreamId, Sequence>;
  struct Command {
    device::StreamId stream = 0;
    Sequence sequence = 0;
    Sequence settled = 0;  // everything up to here is over
    Clock before;
    bool alone = false;  // neither another stream nor the host can access what it uses while it runs
    // Known where there is more than one stream, of what uses memory that the host sees, and of copies to the host:
    // what is found in them is the call's, and a thread of ours may run them.
    HostPlace submitted_at;

    bool is_after(const Command& other) const {
      if (other.sequence <= settled) return true;
      auto found = before.find(other.stream);
      return found != before.end() && found->second >= other.sequence;
    }
  };

  void created(device::StreamId stream, bool blocking) {
    if (blocking) blocking_.insert(stream);
    several_ = true;
  }
  // `with_host`: the command uses memory that the host sees, too.
  std::shared_ptr<const Command> submitted(device::StreamId stream, Sequence sequence, const device::Command& command,
                                           bool with_host = false);
  // A command that was held (blocked_commands.h) goes on: it is behind all that has run by now, of which one has
  // written the value that it, or another one before it, has waited for. It is not known which one, so races with the
  // others are not reported.
  std::shared_ptr<const Command> let_go(const Command& held, const device::Command& command);
  void begins(const Command& command) { join(ran_, {{command.stream, command.sequence}}); }
  // The host itself does something to memory: it is beside what it has not waited for, and before what it submits from
  // now on.
  std::shared_ptr<const Command> host_acts(Sequence sequence);
  bool host_is_after(const Command& command) const;
  void host_waited(device::StreamId stream) { join(host_, tails_[stream]); }
  void host_waited_for(device::EventId event) { join(host_, events_[event]); }
  void host_waited_for_all(Sequence last);
  // A host function of a stream runs: it may signal to any thread that what came before is over.
  void host_is_called(const Command& function) { join(host_, function.before); }

 private:
  static constexpr device::StreamId kHost = ~device::StreamId{0};  // its own actions, as a stream
  static void join(Clock& into, const Clock& from);

  bool several_ = false;  // there has been another stream than the default one
  std::set<device::StreamId> blocking_;
  Sequence settled_ = 0;
  std::map<device::StreamId, Clock> tails_;
  std::map<device::EventId, Clock> events_;
  Clock host_;
  Clock ran_;  // the last command of each stream that has begun
};

}  // namespace warpwise::exec
