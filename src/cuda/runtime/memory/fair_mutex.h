// A mutex that threads get in the order in which they ask for it.
//
// A thread that polls (`while (cudaStreamQuery(stream) == cudaErrorNotReady);`) takes and leaves a lock of the runtime
// without a pause. From a std::mutex it may take it again before a thread that waits has woken up, for ever; and that
// thread may be the one that runs the host function for which the program polls.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace warpwise::cuda {

class FairMutex {
 public:
  void lock() {
    std::unique_lock lock(mutex_);
    const uint64_t mine = last_++;
    turn_.wait(lock, [&] { return mine == now_; });
  }
  void unlock() {
    {
      std::lock_guard lock(mutex_);
      ++now_;
    }
    turn_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable turn_;
  uint64_t last_ = 0, now_ = 0;
};

}  // namespace warpwise::cuda
