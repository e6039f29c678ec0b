// Time while an observer models it: each stream has a time of its own, which every command moves on by as long as the
// device would need, and each thread of the program has one, which submissions and waits move on.
//
//     host       submit ▏ submit ▏        wait for e ─────────►│
//     stream 1      copy ███████ kernel ██████████ record e        e = 17
//     stream 2   wait for e ─────────────────► kernel ████      ends at 21, though it was run right after the other
//
// Streams therefore overlap here although the engine runs one command after the other. No command begins before it was
// submitted. The default stream waits for all others and they for it; streams made non-blocking, which do not, are
// treated as if they did. What the host does between its calls takes no time: its processor is not modelled, and the
// same program reports the same times everywhere.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <thread>

#include "device/device.h"

namespace warpwise::exec {

// What calls cost a host, in nanoseconds.
struct HostCosts {
  uint64_t submit = 0;  // a command, but for events
  uint64_t wake = 0;    // from the end of what a thread waits for to the end of its waiting
};

// Where a command has its place in that time.
struct CommandPlace {
  uint64_t number;  // in the order of submission, from 1
  device::StreamId stream;
  unsigned thread;  // of the program, which submitted it
  uint64_t submitted, begin, end;
};

class VirtualClock {
 public:
  struct Span {
    uint64_t begin, end;
  };
  struct HostThread {
    unsigned index = 0;  // in the order of their first calls
    uint64_t time = 0, waited = 0;
  };

  // --- streams
  // A command of the stream has run, takes so many nanoseconds and was submitted at a time.
  Span ran(device::StreamId stream, uint64_t nanoseconds, uint64_t submitted = 0) {
    const Span span{std::max(begin(stream), submitted), std::max(begin(stream), submitted) + nanoseconds};
    streams_[stream] = span.end;
    latest_ = std::max(latest_, span.end);
    if (stream == 0) ended_default_ = span.end;
    return span;
  }
  // What the stream does next begins no earlier.
  void wait(device::StreamId stream, uint64_t time) { streams_[stream] = std::max(begin(stream), time); }
  // When all that the stream has done so far is done; all streams.
  uint64_t time(device::StreamId stream) const { return begin(stream); }
  uint64_t latest() const { return latest_; }

  // --- the calling thread
  HostThread& host() {
    auto [thread, fresh] = host_.try_emplace(std::this_thread::get_id());
    if (fresh) {
      thread->second.index = static_cast<unsigned>(host_.size() - 1);
      // A thread at the latest of these times has started it.
      for (const auto& [id, other] : host_) thread->second.time = std::max(thread->second.time, other.time);
    }
    return thread->second;
  }
  void host_waits(uint64_t time, uint64_t wake) {
    HostThread& thread = host();
    if (time <= thread.time) return;
    thread.waited += time + wake - thread.time;
    thread.time = time + wake;
  }

 private:
  uint64_t begin(device::StreamId stream) const {
    if (stream == 0) return latest_;
    auto found = streams_.find(stream);
    return std::max(found == streams_.end() ? 0 : found->second, ended_default_);
  }

  std::map<device::StreamId, uint64_t> streams_;
  std::map<std::thread::id, HostThread> host_;
  uint64_t latest_ = 0, ended_default_ = 0;
};

}  // namespace warpwise::exec
