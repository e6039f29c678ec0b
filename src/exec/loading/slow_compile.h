// Says that a kernel is still being compiled, and when it has been: a program that is silent for half a minute looks
// like one that never ends.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

namespace warpwise::exec {

class SlowCompile {
 public:
  // From now until the object is destroyed. `after`: how long it may take without a message.
  SlowCompile(std::string kernel, size_t instructions, std::chrono::milliseconds after = std::chrono::seconds(10));
  ~SlowCompile();
  SlowCompile(const SlowCompile&) = delete;
  SlowCompile& operator=(const SlowCompile&) = delete;

 private:
  void watch(std::chrono::milliseconds after);

  const std::string kernel_;
  const size_t instructions_;  // of its PTX
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false, announced_ = false;  // under mutex_
  std::thread watcher_;
};

}  // namespace warpwise::exec
