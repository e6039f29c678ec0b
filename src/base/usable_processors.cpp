#include "base/usable_processors.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

namespace warpwise {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

unsigned processors_of_affinity() {
  cpu_set_t set;
  // A machine with more processors than fit into the set has an error here.
  if (sched_getaffinity(0, sizeof set, &set) != 0) return std::max(std::thread::hardware_concurrency(), 1u);
  return unsigned(std::max(CPU_COUNT(&set), 1));
}

// The smallest quota of a group and those around it: /a/b, /a and /.
double smallest_quota(const std::string& root, std::string group, const auto& quota_in) {
  double least = INFINITY;
  for (;;) {
    if (const auto quota = processors_of_quota(quota_in(root + group))) least = std::min(least, *quota);
    const size_t end = group.rfind('/');
    if (group.empty() || end == std::string::npos) return least;
    group.resize(end);
  }
}

// Lines of /proc/self/cgroup: "0::/group" of v2, "3:cpu,cpuacct:/group" of v1.
double processors_of_quotas() {
  double least = INFINITY;
  std::istringstream lines(text_of("/proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) {
    const size_t first = line.find(':'), second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = ',' + line.substr(first + 1, second - first - 1) + ',',
                      group = line.substr(second + 1);
    if (controllers == ",,")
      least = std::min(least, smallest_quota("/sys/fs/cgroup", group,
                                             [](const std::string& folder) { return text_of(folder + "/cpu.max"); }));
    else if (controllers.find(",cpu,") != std::string::npos)
      least = std::min(least, smallest_quota("/sys/fs/cgroup/cpu", group, [](const std::string& folder) {
                         return text_of(folder + "/cpu.cfs_quota_us") + ' ' + text_of(folder + "/cpu.cfs_period_us");
                       }));
  }
  return least;
}

}  // namespace

std::optional<double> processors_of_quota(std::string_view text) {
  std::istringstream words{std::string(text)};
  double quota = 0, period = 0;  // of time in microseconds; "max" and -1: no limit
  if (!(words >> quota >> period) || quota <= 0 || period <= 0) return std::nullopt;
  return quota / period;
}

unsigned usable_processors() {
  static const unsigned found = [] {
    const unsigned affinity = processors_of_affinity();
    const double quota = processors_of_quotas();
    return quota < affinity ? unsigned(std::max(std::ceil(quota), 1.0)) : affinity;
  }();
  return found;
}

}  // namespace warpwise
