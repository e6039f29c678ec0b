// Ends launches that do not end by themselves, at no cost to those that do.
//
// Compiled code in SIMT mode does not ask whether it may go on: a test at every back-edge would slow down the hottest
// loops. Instead one thread checks the launch that is under way every few milliseconds. When its time is up, the user
// pressed ^C or another block has failed, it sends the threads that run blocks a signal, and the guard (fault/guard.h)
// leaves kernel code as it does for a fault, with the program counter that says which loop it was. A thread that is
// inside a service at that moment is asked again at the next check.
//
// The signal is SIGURG: its default is to be ignored, so one that arrives late does no harm, and a
// program's own handler for it still gets every one that is not ours.
#pragma once

#include <pthread.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace warpwise::exec {

class LaunchWatch {
 public:
  LaunchWatch() = default;
  ~LaunchWatch();
  LaunchWatch(const LaunchWatch&) = delete;
  LaunchWatch& operator=(const LaunchWatch&) = delete;

  // From here to end(), `must_stop` is asked now and then, from the watching thread, whether the threads
  // that joined shall leave their kernels. It must not block.
  void begin(std::function<bool()> must_stop);
  void join();   // the calling thread runs blocks of the launch
  void leave();  // ... and does so no longer
  void end();

 private:
  void watch();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;
  std::function<bool()> must_stop_;
  std::vector<pthread_t> runners_;
  bool asleep_ = false;
  bool quit_ = false;
};

}  // namespace warpwise::exec
