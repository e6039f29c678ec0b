// Streams, events and the order of work.
//
// All submitted commands wait in one queue and run in the order of their submission, inside the calls
// that wait for them. That is one of the orders CUDA allows (streams promise order only within
// themselves, and an event can only be waited for after it was recorded), it is the same every time, and
// a command needs no thread of its own.
//
// A stream that waits for a value in memory is passed over while others go on (blocked_commands.h). Where nothing else
// can run and the host waits, the value is read again from time to time, since another thread of the host may write it,
// until the watchdog's time is up.
//
// A host that does not wait for the device, but for something the device does (a flag in mapped memory, a
// condition variable that a stream's callback signals), would wait for ever. So a background thread runs work that has
// not been run for a moment. Waking it costs one system call after a pause, nothing in the middle of a stream of
// launches. What kernels print there appears when the program next waits, as on a GPU.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "device/device.h"
#include "exec/queue/blocked_commands.h"
#include "exec/queue/stream_order.h"
#include "exec/queue/virtual_clock.h"

namespace warpwise::exec {

class WorkQueue {
 public:
  // `run` does what a command says. The queue itself handles the markers of events.
  // `before_report` is called on the thread of the program, before a call that waited answers.
  explicit WorkQueue(std::function<device::Status(device::Command&)> run, std::function<void()> before_report = {})
      : run_(std::move(run)), before_report_(std::move(before_report)) {
    streams_[0] = {};
  }
  ~WorkQueue() { stop_background(); }
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  // Before the first command: from now on the queue keeps the order that streams, events and waits promise, and calls
  // the listener when a command is submitted (asking whether it uses memory that the host sees, too), before it runs,
  // and when the host has waited for something.
  struct OrderListener {
    using Order = std::shared_ptr<const StreamOrder::Command>;
    std::function<void(const Order&)> about_to_run;
    std::function<bool(const device::Command&)> uses_host_memory;
    std::function<void(const device::Command&, const Order&)> submitted;
    std::function<void(const StreamOrder&)> waited;
  };
  void keep_order(OrderListener listener) {
    order_ = std::make_unique<StreamOrder>();
    listener_ = std::move(listener);
  }
  // The host has done something to memory: `tell` runs when all that was submitted before has run. False, and nothing
  // is done, in a host function, which acts in the place that its stream gives it.
  bool host_acted(std::function<void()> tell);
  // Before the first command: from now on events report modelled time. `duration` returns how many nanoseconds the
  // command that has just run would take on the device; `placed` gets its place in that time.
  struct TimeModel {
    std::function<uint64_t(const device::Command&)> duration;
    std::function<void(const device::Command&, const CommandPlace&)> placed;
    std::function<void(uint64_t nanoseconds)> begins;  // a command is about to run
    HostCosts host;
  };
  void model_time(TimeModel model) { model_ = std::make_unique<TimeModel>(std::move(model)); }
  // The calling thread in that time, and the number of the last command that was submitted.
  std::pair<VirtualClock::HostThread, uint64_t> host_moment();

  // Before the first command: how words of memory that streams wait for are read, and how a wait is described in
  // messages.
  struct ValueWatch {
    std::function<bool(const device::WaitValue&)> is_there;
    std::function<std::string(const device::WaitValue&)> describe;
    double timeout_seconds = 0;  // 0: none
  };
  void watch_values(ValueWatch watch) { values_ = std::move(watch); }

  // Ends the background thread. Commands that have not run stay in the queue, for the calls that wait for them.
  void stop_background();

  device::StreamId create_stream(bool blocking = true);
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
  // Runs all that was submitted and can run, although the host does not wait for it as far as the program knows.
  device::Status run_all();
  // The same; what then still waits for a value is dropped.
  void end_work();
  // Whether a stream stands still.
  bool holds() const;
  device::Status wait_event(device::EventId event);

  // Whether the work is done. Makes sure that it will be: copies and markers run at once, a kernel
  // or a host function, which may itself wait for the caller, in the background.
  bool stream_done(device::StreamId stream);
  bool event_done(device::EventId event);
  bool event_recorded(device::EventId event) const;
  uint64_t event_time(device::EventId event) const;

  device::Status sticky() const;
  // Drops all work, streams (but the default one), events and failures.
  void reset();
  // Whether the calling thread is the background thread.
  bool in_background() const { return background_id_.load(std::memory_order_relaxed) == std::this_thread::get_id(); }

 private:
  using Sequence = QueuedCommand::Sequence;
  struct Stream {
    Sequence last = 0;  // command
    bool blocking = true;
  };
  struct Event {
    Sequence recorded = 0;  // 0: never
    uint64_t nanoseconds = 0;
  };
  static constexpr size_t kMostWaiting = 1024;

  void report_waited();  // mutex_ held
  enum class Goal { Command, AllUpToIt };
  // With patience also while nothing can run: until a value is there that a stream waits for.
  enum class Patience { None, ForValues };
  void run_until(Sequence sequence, Goal goal, Patience patience);
  bool run_one();  // run_mutex_ held; false: nothing can run
  // The next command that can run, and whether it was held before; mutex_ held.
  bool take(QueuedCommand* item, bool* was_held);
  void end_waits(double seconds);
  void keep_time(const QueuedCommand& item,
                 std::optional<uint64_t> duration);    // mutex_ held; no duration: an event, or it has not been run
  void host_waited_until(uint64_t time, bool asleep);  // mutex_ held
  bool is_done(Sequence sequence, Goal goal = Goal::Command);  // mutex_ not held
  bool done_or_advance(Sequence sequence);
  void wake_background();  // mutex_ held
  void background();
  device::Status report();

  std::function<device::Status(device::Command&)> run_;
  std::function<void()> before_report_;
  ValueWatch values_;
  std::unique_ptr<TimeModel> model_;
  std::mutex run_mutex_;                   // held by the thread that runs commands
  std::atomic<std::thread::id> runner_{};  // that thread: a host function must not wait for itself

  mutable std::mutex mutex_;  // all below
  std::deque<QueuedCommand> waiting_;
  BlockedCommands held_;  // passed over
  Sequence last_ = 0, done_ = 0;
  std::map<device::StreamId, Stream> streams_;
  std::map<device::EventId, Event> events_;
  std::unique_ptr<StreamOrder> order_;
  OrderListener listener_;
  VirtualClock clock_;  // where there is a model_
  device::StreamId next_stream_ = 1;
  device::EventId next_event_ = 1;
  device::Status sticky_, unreported_;

  std::condition_variable wake_;
  std::thread background_;
  std::atomic<std::thread::id> background_id_{};
  bool asleep_ = false;  // nothing has waited for a while
  bool urgent_ = false;  // a thread asks for results already
  bool quit_ = false;
};

}  // namespace warpwise::exec
