// A mutex for sections of a few hundred instructions that many threads enter often: who waits looks again for a while
// before it gives way to others, where std::mutex would ask the kernel at once. Where the thread that has it does not
// run either, on a busy machine, it sleeps.
#pragma once

#include <immintrin.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace warpwise {

class SpinMutex {
 public:
  void lock() {
    while (taken_.exchange(true, std::memory_order_acquire)) {
      for (int turn = 0; taken_.load(std::memory_order_relaxed); ++turn) {
        if (turn < kTurns)
          _mm_pause();
        else if (turn < kTurns + kYields)
          std::this_thread::yield();
        else
          std::this_thread::sleep_for(std::chrono::microseconds(50));
      }
    }
  }
  void unlock() { taken_.store(false, std::memory_order_release); }

 private:
  static constexpr int kTurns = 200;  // some microseconds
  static constexpr int kYields = 10;
  std::atomic<bool> taken_ = false;
};

}  // namespace warpwise
