#include "peers/measure.h"

#include <algorithm>
#include <ctime>

namespace warpwise::bench {
namespace {

double milliseconds(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

}  // namespace

Times time_once(const std::function<void()>& call) {
  double wall = milliseconds(CLOCK_MONOTONIC), cpu = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
  call();
  return {milliseconds(CLOCK_MONOTONIC) - wall, milliseconds(CLOCK_PROCESS_CPUTIME_ID) - cpu};
}

double median(std::vector<double> values) {
  auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Times median(const std::vector<Times>& values) {
  std::vector<double> wall, cpu;
  for (const Times& t : values) wall.push_back(t.wall_ms), cpu.push_back(t.cpu_ms);
  return {median(wall), median(cpu)};
}

}  // namespace warpwise::bench
