#include "exec/queue/work_queue.h"

#include <fmt/format.h>

#include <chrono>

namespace warpwise::exec {

using device::Command;
using device::EventId;
using device::Status;
using device::StreamId;

namespace {

// Work that has waited this long is run in the background.
constexpr std::chrono::milliseconds kPatience{2};
// How often a waiting thread checks whether the value that a stream waits for is there.
constexpr std::chrono::microseconds kLookAtValues{50};
// Checks of an empty queue before the thread sleeps until it is woken.
constexpr int kIdleLooks = 50;

bool is_marker(const Command& command) {
  return std::holds_alternative<device::RecordEvent>(command) || std::holds_alternative<device::WaitEvent>(command);
}

uint64_t now() {
  return static_cast<uint64_t>(std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
}

}  // namespace

StreamId WorkQueue::create_stream(bool blocking) {
  std::lock_guard lock(mutex_);
  if (order_) order_->created(next_stream_, blocking);
  streams_[next_stream_] = {0, blocking};
  return next_stream_++;
}

bool WorkQueue::has_stream(StreamId stream) const {
  std::lock_guard lock(mutex_);
  return streams_.contains(stream);
}

void WorkQueue::destroy_stream(StreamId stream) {
  // Its work stays in the queue and will run, as cudaStreamDestroy promises.
  std::lock_guard lock(mutex_);
  if (stream != 0) streams_.erase(stream);
}

EventId WorkQueue::create_event() {
  std::lock_guard lock(mutex_);
  events_[next_event_] = {};
  return next_event_++;
}

bool WorkQueue::has_event(EventId event) const {
  std::lock_guard lock(mutex_);
  return events_.contains(event);
}

void WorkQueue::destroy_event(EventId event) {
  std::lock_guard lock(mutex_);
  events_.erase(event);
}

void WorkQueue::push(StreamId stream, Command command) {
  Sequence overdue = 0;
  {
    std::lock_guard lock(mutex_);
    Sequence sequence = ++last_;
    Stream& state = streams_[stream];
    state.last = sequence;
    if (auto* record = std::get_if<device::RecordEvent>(&command)) events_[record->event].recorded = sequence;
    std::shared_ptr<const StreamOrder::Command> order =
        order_ ? order_->submitted(stream, sequence, command, listener_.uses_host_memory(command)) : nullptr;
    if (order) listener_.submitted(command, order);
    QueuedCommand item{sequence, stream, std::move(command), std::move(order), 0, 0, state.blocking};
    if (auto* wait = std::get_if<device::WaitEvent>(&item.command))
      if (auto event = events_.find(wait->event); event != events_.end()) item.awaited = event->second.recorded;
    if (model_) {
      // The device learns of a command while the call is still under way; events are stamped by the device and cost
      // nothing here.
      VirtualClock::HostThread& thread = clock_.host();
      item.submitted = thread.time, item.thread = thread.index;
      if (!is_marker(item.command)) thread.time += model_->host.submit;
    }
    waiting_.push_back(std::move(item));
    if (waiting_.size() > kMostWaiting) overdue = sequence - kMostWaiting / 2;
    wake_background();
  }
  if (overdue) run_until(overdue, Goal::Command, Patience::None);
}

bool WorkQueue::host_acted(std::function<void()> tell) {
  if (runner_.load() == std::this_thread::get_id()) return false;
  std::lock_guard lock(mutex_);
  const Sequence sequence = ++last_;
  QueuedCommand item{sequence, 0, device::HostFunction{std::move(tell)},
                     order_ ? order_->host_acts(sequence) : nullptr};
  item.by_host = true;
  waiting_.push_back(std::move(item));
  return true;
}

void WorkQueue::report_waited() {
  if (order_) listener_.waited(*order_);
}

bool WorkQueue::take(QueuedCommand* item, bool* was_held) {
  *was_held = false;
  if (!held_.empty()) {
    // A poisoned device does nothing more: it waits for nothing, either.
    if (QueuedCommand* next = sticky_.ok() ? held_.next(values_.is_there) : held_.oldest()) {
      *item = std::move(*next);
      return *was_held = true;
    }
  }
  while (!waiting_.empty()) {
    *item = std::move(waiting_.front());
    waiting_.pop_front();
    const auto* wait = std::get_if<device::WaitValue>(&item->command);
    if (!sticky_.ok() || (!held_.holds_up(*item) && (!wait || values_.is_there(*wait)))) return true;
    done_ = item->sequence;
    held_.hold(std::move(*item));
  }
  return false;
}

bool WorkQueue::run_one() {
  QueuedCommand item;
  bool skip, was_held;
  uint64_t begin = 0;
  {
    std::lock_guard lock(mutex_);
    if (!take(&item, &was_held)) return false;
    skip = !sticky_.ok();  // a poisoned device does nothing more
    if (order_ && item.order) {
      if (was_held) item.order = order_->let_go(*item.order, item.command);
      order_->begins(*item.order);
    }
    if (model_ && was_held) clock_.wait(item.stream, clock_.latest());
    if (model_) begin = std::max(clock_.time(item.stream), item.submitted);
    if (!skip && item.order && std::holds_alternative<device::HostFunction>(item.command)) {
      order_->host_is_called(*item.order);
      report_waited();
    }
  }
  Status status;
  const bool marker = is_marker(item.command);
  if (!skip && !marker && item.order) listener_.about_to_run(item.order);
  if (!skip && !marker && model_) model_->begins(begin);
  if (!skip && !marker) status = run_(item.command);
  std::optional<uint64_t> duration;
  if (model_ && !skip && !marker) duration = model_->duration(item.command);
  std::lock_guard lock(mutex_);
  if (was_held)
    held_.release(item.sequence);
  else
    done_ = item.sequence;
  if (model_) keep_time(item, duration);
  if (auto* record = std::get_if<device::RecordEvent>(&item.command))
    if (auto event = events_.find(record->event); event != events_.end())
      event->second.nanoseconds = model_ ? clock_.time(item.stream) : now();
  if (status.ok()) return true;
  if (device::is_sticky(status.failure))
    sticky_ = status;
  else if (unreported_.ok())
    unreported_ = status;
  return true;
}

void WorkQueue::keep_time(const QueuedCommand& item, std::optional<uint64_t> duration) {
  if (auto* wait = std::get_if<device::WaitEvent>(&item.command)) {
    if (auto event = events_.find(wait->event); event != events_.end())
      clock_.wait(item.stream, event->second.nanoseconds);
    return;
  }
  const VirtualClock::Span span = clock_.ran(item.stream, duration.value_or(0), item.submitted);
  if (duration)
    model_->placed(item.command, {item.sequence, item.stream, item.thread, item.submitted, span.begin, span.end});
}

void WorkQueue::host_waited_until(uint64_t time, bool asleep) {
  if (model_) clock_.host_waits(time, asleep ? model_->host.wake : 0);
}

std::pair<VirtualClock::HostThread, uint64_t> WorkQueue::host_moment() {
  std::lock_guard lock(mutex_);
  return {clock_.host(), last_};
}

void WorkQueue::run_until(Sequence sequence, Goal goal, Patience patience) {
  // A host function that waits (which CUDA forbids) must not wait for its own end.
  if (runner_.load() == std::this_thread::get_id()) return;
  std::optional<std::chrono::steady_clock::time_point> still_since;
  for (;;) {
    bool has_run = false;
    {
      std::lock_guard running(run_mutex_);
      runner_ = std::this_thread::get_id();
      while (!is_done(sequence, goal) && run_one()) has_run = true;
      runner_ = std::thread::id();
    }
    if (is_done(sequence, goal) || patience == Patience::None) return;
    // It goes on only when another thread or process writes the value. Other host threads may run what they submit
    // meanwhile.
    const auto now = std::chrono::steady_clock::now();
    if (has_run || !still_since) still_since = now;
    if (values_.timeout_seconds > 0 && now - *still_since >= std::chrono::duration<double>(values_.timeout_seconds))
      end_waits(values_.timeout_seconds);
    else
      std::this_thread::sleep_for(kLookAtValues);
  }
}

void WorkQueue::end_waits(double seconds) {
  std::lock_guard running(run_mutex_);
  std::lock_guard lock(mutex_);
  std::string story;
  for (const BlockedCommands::Standing& standing : held_.standing()) {
    if (!story.empty()) story += "; ";
    story += fmt::format("stream {} has waited for {} s {}, {} command{} behind it", standing.stream, seconds,
                         values_.describe(standing.wait), standing.behind, standing.behind == 1 ? "" : "s");
  }
  if (sticky_.ok() && !story.empty()) sticky_ = {device::Failure::LaunchTimeout, story};
}

bool WorkQueue::is_done(Sequence sequence, Goal goal) {
  std::lock_guard lock(mutex_);
  if (held_.empty()) return done_ >= sequence || waiting_.empty();
  return done_ >= sequence && (goal == Goal::Command ? !held_.contains(sequence) : held_.oldest()->sequence > sequence);
}

void WorkQueue::end_work() {
  (void)run_all();
  std::lock_guard running(run_mutex_);
  std::lock_guard lock(mutex_);
  held_.clear();
}

bool WorkQueue::holds() const {
  std::lock_guard lock(mutex_);
  return !held_.empty();
}

void WorkQueue::wake_background() {
  if (asleep_)
    wake_.notify_one();
  else if (!background_.joinable() && !quit_)
    background_ = std::thread([this] { background(); });
}

void WorkQueue::background() {
  background_id_ = std::this_thread::get_id();
  std::unique_lock lock(mutex_);
  int idle = 0;
  while (!quit_) {
    if (waiting_.empty() && held_.empty() && ++idle > kIdleLooks) {
      asleep_ = true;
      wake_.wait(lock, [&] { return quit_ || !waiting_.empty(); });
      asleep_ = false;
      idle = 0;
    }
    Sequence first = waiting_.empty() ? 0 : waiting_.front().sequence;
    wake_.wait_for(lock, kPatience, [&] { return quit_ || urgent_; });
    if (quit_ || (waiting_.empty() && held_.empty())) continue;
    idle = 0;
    if (!std::exchange(urgent_, false) && !waiting_.empty() && waiting_.front().sequence != first) continue;
    Sequence last = last_;
    lock.unlock();
    run_until(last, Goal::AllUpToIt, Patience::None);
    lock.lock();
  }
}

void WorkQueue::stop_background() {
  {
    std::lock_guard lock(mutex_);
    quit_ = true;
  }
  wake_.notify_all();
  if (background_.joinable()) background_.join();
}

Status WorkQueue::report() {
  if (before_report_) before_report_();
  std::lock_guard lock(mutex_);
  if (!sticky_.ok()) return sticky_;
  return std::exchange(unreported_, {});
}

Status WorkQueue::wait(StreamId stream) {
  Sequence sequence;
  {
    std::lock_guard lock(mutex_);
    auto found = streams_.find(stream);
    sequence = found == streams_.end() ? 0 : found->second.last;
    if (order_) order_->host_waited(stream);
  }
  run_until(sequence, Goal::Command, Patience::ForValues);
  {
    std::lock_guard lock(mutex_);
    report_waited();
    host_waited_until(clock_.time(stream), true);
  }
  return report();
}

Status WorkQueue::wait_all() {
  Sequence sequence;
  {
    std::lock_guard lock(mutex_);
    sequence = last_;
    if (order_) order_->host_waited_for_all(last_);
  }
  run_until(sequence, Goal::AllUpToIt, Patience::ForValues);
  {
    std::lock_guard lock(mutex_);
    report_waited();
    host_waited_until(clock_.latest(), true);
  }
  return report();
}

Status WorkQueue::run_all() {
  Sequence sequence;
  {
    std::lock_guard lock(mutex_);
    sequence = last_;
  }
  run_until(sequence, Goal::AllUpToIt, Patience::None);
  return report();
}

Status WorkQueue::wait_event(EventId event) {
  Sequence sequence;
  {
    std::lock_guard lock(mutex_);
    auto found = events_.find(event);
    sequence = found == events_.end() ? 0 : found->second.recorded;
    if (order_) order_->host_waited_for(event);
  }
  run_until(sequence, Goal::Command, Patience::ForValues);
  {
    std::lock_guard lock(mutex_);
    report_waited();
    if (auto found = events_.find(event); found != events_.end()) host_waited_until(found->second.nanoseconds, true);
  }
  return report();
}

bool WorkQueue::done_or_advance(Sequence sequence) {
  for (;;) {
    {
      std::lock_guard lock(mutex_);
      if (done_ >= sequence && !held_.contains(sequence)) return true;
      bool quick = held_.empty() && !waiting_.empty() &&
                   !std::holds_alternative<device::Launch>(waiting_.front().command) &&
                   !std::holds_alternative<device::HostFunction>(waiting_.front().command);
      if (!quick) {
        if (!urgent_) {
          urgent_ = true;
          wake_.notify_one();
        }
        return false;
      }
    }
    std::unique_lock running(run_mutex_, std::try_to_lock);
    if (!running) return false;
    runner_ = std::this_thread::get_id();
    run_one();
    runner_ = std::thread::id();
  }
}

bool WorkQueue::stream_done(StreamId stream) {
  Sequence sequence;
  {
    std::lock_guard lock(mutex_);
    auto found = streams_.find(stream);
    sequence = found == streams_.end() ? 0 : found->second.last;
  }
  if (!done_or_advance(sequence)) return false;
  std::lock_guard lock(mutex_);
  if (order_) order_->host_waited(stream);
  report_waited();
  host_waited_until(clock_.time(stream), false);
  return true;
}

bool WorkQueue::event_done(EventId event) {
  Sequence sequence;
  {
    std::lock_guard lock(mutex_);
    auto found = events_.find(event);
    sequence = found == events_.end() ? 0 : found->second.recorded;
  }
  if (!done_or_advance(sequence)) return false;
  std::lock_guard lock(mutex_);
  if (order_) order_->host_waited_for(event);
  report_waited();
  if (auto found = events_.find(event); found != events_.end()) host_waited_until(found->second.nanoseconds, false);
  return true;
}

bool WorkQueue::event_recorded(EventId event) const {
  std::lock_guard lock(mutex_);
  auto found = events_.find(event);
  return found != events_.end() && found->second.recorded != 0;
}

uint64_t WorkQueue::event_time(EventId event) const {
  std::lock_guard lock(mutex_);
  auto found = events_.find(event);
  return found == events_.end() ? 0 : found->second.nanoseconds;
}

Status WorkQueue::sticky() const {
  std::lock_guard lock(mutex_);
  return sticky_;
}

void WorkQueue::reset() {
  std::lock_guard running(run_mutex_);
  std::lock_guard lock(mutex_);
  waiting_.clear();
  held_.clear();
  done_ = last_;
  streams_.clear();
  streams_[0] = {};
  events_.clear();
  if (order_) order_->host_waited_for_all(last_);
  report_waited();
  sticky_ = unreported_ = {};
}

}  // namespace warpwise::exec
