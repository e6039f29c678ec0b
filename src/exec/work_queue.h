// Streams, events and the order of work.
//
// All submitted commands wait in one queue and run in the order of their submission, inside the calls
// that wait for them. That is one of the orders CUDA allows (streams promise order only within
// themselves, and an event can only be waited for after it was recorded), it is the same every time, and
// a command needs no thread of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "device/device.h"

namespace warpwise::exec {

class WorkQueue {
 public:
  // `run` does what a command says; markers of events are the queue's own business.
  explicit WorkQueue(std::function<device::Status(device::Command&)> run) : run_(std::move(run)) { streams_[0] = 0; }

  device::StreamId create_stream();
  bool has_stream(device::StreamId stream) const;
  void destroy_stream(device::StreamId stream);
  device::EventId create_event();
  bool has_event(device::EventId event) const;
  void destroy_event(device::EventId event);

  // Appends; when very much waits already, some of it runs first, as a full launch queue blocks on a GPU.
  void push(device::StreamId stream, device::Command command);

  // Each runs what is needed and returns the failure that is to be reported: the sticky one, or one that
  // has not been reported yet.
  device::Status wait(device::StreamId stream);
  device::Status wait_all();
  device::Status wait_event(device::EventId event);

  // Runs one command, to get on, and tells whether the work is done.
  bool stream_done(device::StreamId stream);
  bool event_done(device::EventId event);
  bool event_recorded(device::EventId event) const;
  uint64_t event_time(device::EventId event) const;

  device::Status sticky() const;
  // Drops all work, streams (but the default one), events and failures.
  void reset();

 private:
  using Sequence = uint64_t;  // commands are numbered from 1
  struct Item {
    Sequence sequence;
    device::Command command;
  };
  struct Event {
    Sequence recorded = 0;  // 0: never
    uint64_t nanoseconds = 0;
  };
  static constexpr size_t kMostWaiting = 1024;

  void run_until(Sequence sequence);
  void run_one();  // run_mutex_ held
  bool is_done(Sequence sequence);
  device::Status report();

  std::function<device::Status(device::Command&)> run_;
  std::mutex run_mutex_;                  // held by whoever runs commands
  std::atomic<std::thread::id> runner_{};  // who that is: a host function must not wait for itself

  mutable std::mutex mutex_;  // all below
  std::deque<Item> waiting_;
  Sequence last_ = 0, done_ = 0;
  std::map<device::StreamId, Sequence> streams_;  // last command of each
  std::map<device::EventId, Event> events_;
  device::StreamId next_stream_ = 1;
  device::EventId next_event_ = 1;
  device::Status sticky_, unreported_;
};

}  // namespace warpwise::exec
