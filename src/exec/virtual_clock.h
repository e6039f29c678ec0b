// Device time while an observer models it: each stream has a time of its own, which every command moves on by as long as the
// device would need.
//
//     stream 1   copy ███████ kernel ██████████ record e        e = 17
//     stream 2   wait for e ─────────────────► kernel ████      ends at 21, though it was run right after the other
//
// Streams therefore overlap here although the engine runs one command after the other. The default stream waits for all others
// and they for it; streams made non-blocking, which do not, are treated as if they did. The host takes no time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>

#include "device/device.h"

namespace warpwise::exec {

class VirtualClock {
 public:
  // A command of the stream has run, and takes so many nanoseconds.
  void ran(device::StreamId stream, uint64_t nanoseconds) {
    uint64_t end = begin(stream) + nanoseconds;
    streams_[stream] = end;
    latest_ = std::max(latest_, end);
    if (stream == 0) ended_default_ = end;
  }
  // What the stream does next begins no earlier.
  void wait(device::StreamId stream, uint64_t time) { streams_[stream] = std::max(begin(stream), time); }
  // When all that the stream has done so far is done.
  uint64_t time(device::StreamId stream) const { return begin(stream); }

 private:
  uint64_t begin(device::StreamId stream) const {
    if (stream == 0) return latest_;
    auto found = streams_.find(stream);
    return std::max(found == streams_.end() ? 0 : found->second, ended_default_);
  }

  std::map<device::StreamId, uint64_t> streams_;
  uint64_t latest_ = 0, ended_default_ = 0;
};

}  // namespace warpwise::exec
