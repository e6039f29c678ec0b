// What the program does beside the work of its device, reported to an observer in the time that it models
// (work_queue.h).
#pragma once

#include "device/program_trace.h"
#include "exec/observer.h"
#include "exec/queue/work_queue.h"

namespace warpwise::exec {

class ProgramRecord : public device::ProgramTrace {
 public:
  ProgramRecord(WorkQueue& queue, ProgramObserver& observer) : queue_(queue), observer_(observer) {}

  Moment now() override {
    const auto [thread, commands] = queue_.host_moment();
    return {thread.time, thread.waited, commands};
  }
  void called(std::string_view function, const Moment& began) override { observer_.called(since(function, began)); }
  void range_ended(std::string_view name, const Moment& began) override { observer_.named(since(name, began)); }
  void marked(std::string_view name) override { observer_.named(since(name, now())); }

 private:
  HostSpan since(std::string_view name, const Moment& began) {
    const auto [thread, commands] = queue_.host_moment();
    return {name,    thread.index, began.nanoseconds, thread.time, thread.waited - began.waited, began.commands + 1,
            commands};
  }

  WorkQueue& queue_;
  ProgramObserver& observer_;
};

}  // namespace warpwise::exec
