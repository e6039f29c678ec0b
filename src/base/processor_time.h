// The processor time of the calling thread: what work takes, however busy the machine is.
#pragma once

#include <cstdint>
#include <ctime>

namespace warpwise {

inline uint64_t processor_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return uint64_t(now.tv_sec) * 1'000'000'000 + uint64_t(now.tv_nsec);
}

}  // namespace warpwise
