#include "perf/timing/queue.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace warpwise::perf {
namespace {

// The time of a round for each number of customers up to `most`; [0] is for none.
std::vector<double> rounds(unsigned most, double think, std::span<const double> demands, double residual) {
  std::vector<double> queue(demands.size()), busy(demands.size()), wait(demands.size()), result{0};
  for (unsigned n = 1; n <= most; ++n) {
    double round = think;
    for (size_t s = 0; s < demands.size(); ++s) {
      wait[s] = demands[s] * (1 + std::max(0.0, queue[s] - (1 - residual) * busy[s]));
      round += wait[s];
    }
    double rate = round > 0 ? n / round : 0;
    for (size_t s = 0; s < demands.size(); ++s) {
      queue[s] = rate * wait[s];
      busy[s] = std::min(1.0, rate * demands[s]);
    }
    result.push_back(round);
  }
  return result;
}

}  // namespace

double round_clocks(double customers, double think, std::span<const double> demands, Service service) {
  if (customers <= 0) return 0;
  double most = demands.empty() ? 0 : *std::max_element(demands.begin(), demands.end());
  double alone = think + std::accumulate(demands.begin(), demands.end(), 0.0), least = customers * most;
  if (service == Service::Perfect) return std::max(std::min(alone, think + most), least);
  double whole = std::ceil(customers);
  std::vector<double> times =
      rounds(static_cast<unsigned>(whole), think, demands, service == Service::Alike ? 0.5 : 1.0);
  double part = whole - customers;
  double time = times.back() * (1 - part) + times[times.size() - 2] * part;
  return std::max(time, least);  // the correction for like services must not beat the busiest station
}

}  // namespace warpwise::perf
