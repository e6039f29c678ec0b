// How long the GPU works on each launch: the time between an event before it and an event after it.
//
// A GPU that has nothing to do starts the first event at once and then waits for the host to bring the kernel, so that
// two events around one launch tell the host's time as well: some microseconds. Therefore each timed launch comes after
// a kernel that reads memory twice as large as the L2 cache. While the GPU is busy with that, the host brings both
// events and what is between them; and every launch finds the cache without its data, as under Nsight Compute and as
// the model assumes.
//
//     read 2 x L2 │ event │ kernel │ event
//
// Rejected: a fill instead of the read, because what it leaves must be written to memory while the kernel runs (a fifth
// of the time of a sum of 256 MB); a gate that the host opens (cuStreamWaitValue32), because the driver waits for the
// GPU when a kernel needs more local memory than any before it.
//
// Nothing here waits for the GPU while a program submits work: its streams may wait for the host. Times are read when
// their events are done, in the order of the launches.
#pragma once

#include <deque>
#include <mutex>
#include <vector>

#include "device/gpu/context.h"
#include "device/gpu/gpu.h"

namespace warpwise::device::gpu {

class LaunchTimes {
 public:
  LaunchTimes(const Context& context, std::shared_ptr<LaunchObserver> observer)
      : context_(context), observer_(std::move(observer)) {}

  // Around a launch in a stream. `ticket` is what before() has given; 0: launches are not timed.
  Status before(CUstream stream, uint64_t* ticket);
  Status after(CUstream stream, uint64_t ticket, TimedLaunch launch);
  // The launch was refused.
  void drop(uint64_t ticket);
  // Hands over what is done.
  void collect();
  // The program's work has ended, or has been given up: what is not done by now never will be.
  void end();
  // Gives back events and memory; the context is the thread's.
  void clear();
  // They have gone with the context.
  void forget();

 private:
  struct Pair {
    CUevent first = nullptr, last = nullptr;
  };
  struct Entry {
    uint64_t ticket = 0;
    Pair events;
    bool submitted = false;
    TimedLaunch launch;
  };

  Status prepare();
  Status make_pair(Pair* out);
  Status flush(CUstream stream) const;
  void collect_locked();
  void destroy(const Pair& pair) const;

  const Context& context_;
  const std::shared_ptr<LaunchObserver> observer_;
  std::mutex mutex_;
  CUmodule module_ = nullptr;
  CUfunction read_ = nullptr;
  CUdeviceptr memory_ = 0;
  std::deque<Entry> entries_;  // in the order of before()
  std::vector<Pair> spare_;
  uint64_t next_ticket_ = 1;
};

}  // namespace warpwise::device::gpu
