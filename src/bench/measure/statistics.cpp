#include "bench/measure/statistics.h"

#include <algorithm>
#include <cmath>

namespace warpwise::bench {

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

Estimate estimate(std::vector<double> values) {
  constexpr double kMiss = 0.05;
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  Estimate out;
  out.median = median_of(values);
  if (n == 0) return out;
  // The most that can be left out at each end. Probability of `heads` heads, from that of one fewer.
  double probability = std::pow(0.5, double(n)), missed = 0;
  size_t left_out = 0;
  for (size_t heads = 0; 2 * (missed + probability) <= kMiss && 2 * heads + 1 < n; ++heads) {
    missed += probability;
    probability *= double(n - heads) / double(heads + 1);
    left_out = heads + 1;
  }
  out.known = left_out > 0;
  const size_t first = left_out > 0 ? left_out - 1 : 0;
  out.interval = {values[first], values[n - 1 - first]};
  return out;
}

Difference compare(const Estimate& now, const Estimate& before) {
  if (now.interval.high < before.interval.low) return Difference::Faster;
  if (now.interval.low > before.interval.high) return Difference::Slower;
  return Difference::None;
}

}  // namespace warpwise::bench
