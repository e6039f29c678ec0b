// The threads that an instrumentation event comes from.
//
// In SIMT mode an event comes from some lanes of a warp. In independent-thread mode it comes from one thread, which the
// block knows (BlockRun::running_thread). The event's mask then has lane 0 alone, and that thread's operands lie there.
//
//     for (const auto [lane, thread] : threads_of(event)) note(thread, event.addresses[lane]);
#pragma once

#include <bit>
#include <cstdint>

#include "exec/launch/block_run.h"
#include "exec/observer_events.h"
#include "simt/abi.h"

namespace warpwise::check {

struct EventThread {
  unsigned lane;    // where its operands lie in the event
  uint32_t thread;  // linear index in the block
};

class EventThreads {
 public:
  EventThreads(uint32_t mask, uint32_t first) : mask_(mask), first_(first) {}

  class Iterator {
   public:
    Iterator(uint32_t left, uint32_t first) : left_(left), first_(first) {}
    EventThread operator*() const {
      const unsigned lane = static_cast<unsigned>(std::countr_zero(left_));
      return {lane, first_ + lane};
    }
    Iterator& operator++() {
      left_ &= left_ - 1;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return left_ != other.left_; }

   private:
    uint32_t left_, first_;
  };
  // From the lowest lane on.
  Iterator begin() const { return {mask_, first_}; }
  Iterator end() const { return {0, first_}; }

 private:
  uint32_t mask_, first_;
};

// The thread that runs alone, or thread 0 of the warp.
inline uint32_t first_thread_of(const exec::ObservedEvent& event) {
  const int64_t alone = event.run.running_thread;
  return alone >= 0 ? static_cast<uint32_t>(alone) : event.warp * simt::kLanes;
}
inline unsigned warp_of(const exec::ObservedEvent& event) { return first_thread_of(event) / simt::kLanes; }
inline EventThreads threads_of(const exec::ObservedEvent& event) { return {event.mask, first_thread_of(event)}; }

}  // namespace warpwise::check
