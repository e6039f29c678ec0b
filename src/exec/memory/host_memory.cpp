#include "exec/memory/host_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace warpwise::exec {
namespace {

constexpr uint64_t kUnknown = std::numeric_limits<uint64_t>::max();

// MemAvailable of /proc/meminfo (proc(5)), in bytes.
uint64_t system_available() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  uint64_t kib;
  std::string rest;
  while (file >> key >> kib && std::getline(file, rest))
    if (key == "MemAvailable:") return kib * 1024;
  return kUnknown;
}

std::optional<uint64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  uint64_t value;
  if (file >> value) return value;
  return std::nullopt;  // also "max"
}

// The control group that a container sees as its root: version 2, then version 1.
uint64_t group_available() {
  for (auto [limit, current] :
       {std::pair{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
        std::pair{"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"}}) {
    auto most = number_in(limit), used = number_in(current);
    if (most && used) return *most > *used ? *most - *used : 0;
  }
  return kUnknown;
}

uint64_t address_space_available() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnknown;
  uint64_t used = number_in("/proc/self/statm").value_or(0) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

}  // namespace

uint64_t available_host_memory() {
  uint64_t least = std::min({system_available(), group_available(), address_space_available()});
  return least == kUnknown ? uint64_t{4} << 30 : least;
}

}  // namespace warpwise::exec
