// How long the GPU works on each command: the time between an event before it and an event after it.
//
// A GPU that has nothing to do starts the first event at once and then waits for the host to bring the kernel, so that
// two events around one launch tell the host's time as well: some microseconds. Therefore each timed command comes
// after a fill of memory twice as large as the L2 cache. While the GPU is busy with that, the host brings both events
// and what is between them; and every command finds the cache without its data, which is a state that one can repeat.
//
//     fill of 2 x L2 │ event │ kernel │ event
//
// (A gate that the host opens, cuStreamWaitValue32, would be shorter, and is a trap: the driver waits for the GPU when
// a kernel needs more local memory than any before it.)
#pragma once

#include <mutex>
#include <vector>

#include "device/gpu/context.h"
#include "device/gpu/gpu.h"

namespace warpwise::device::gpu {

class CommandTimes final : public Stopwatch {
 public:
  explicit CommandTimes(const Context& context) : context_(context) {}

  void start() override;
  Status stop(double* seconds) override;

  // Around a command of the stream. Between them no other thread submits a timed command.
  Status before(CUstream stream);
  Status after(CUstream stream);
  // Gives back events and memory; the context is the thread's.
  void clear();
  // They have gone with the context.
  void forget() { pairs_.clear(), running_ = false, scratch_ = 0, used_ = 0; }

 private:
  struct Pair {
    CUevent first = nullptr, last = nullptr;
  };
  Status make_scratch();

  const Context& context_;
  std::mutex mutex_;
  bool running_ = false;
  CUdeviceptr scratch_ = 0;
  size_t scratch_bytes_ = 0;
  std::vector<Pair> pairs_;  // made; the first `used_` of them are of commands
  size_t used_ = 0;
};

}  // namespace warpwise::device::gpu
