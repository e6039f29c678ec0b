// Times of one call, and of many.
#pragma once

#include <functional>
#include <vector>

namespace warpwise::bench {

struct Times {
  double wall_ms = 0;
  double cpu_ms = 0;  // of all threads of the process: what the machine's other work hardly changes
};

Times time_once(const std::function<void()>& call);
double median(std::vector<double> values);
Times median(const std::vector<Times>& values);

}  // namespace warpwise::bench
