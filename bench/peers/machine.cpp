#include "peers/machine.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>

namespace warpwise::bench {
namespace {

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  std::string family, model, name;
  auto value = [](const std::string& line) { return line.substr(std::min(line.find(": ") + 2, line.size())); };
  for (std::string line; std::getline(file, line) && !line.empty();) {
    if (line.starts_with("cpu family"))
      family = value(line);
    else if (line.starts_with("model name"))
      name = value(line);
    else if (line.starts_with("model\t"))
      model = value(line);
  }
  return fmt::format("{} (family {}, model {})", name, family, model);
}

std::string widest_vectors() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f")) return "AVX-512";
  if (__builtin_cpu_supports("avx2")) return "AVX2";
  return "SSE";
#else
  return "unknown";
#endif
}

}  // namespace

MachineDescription describe_machine() {
  MachineDescription m;
  m.cpu = cpu_model();
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof usable, &usable) == 0) m.cores = static_cast<unsigned>(CPU_COUNT(&usable));
  m.isa = widest_vectors();
  char date[32];
  std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  m.date = date;
  double load[1];
  if (getloadavg(load, 1) == 1) m.load = load[0];
  return m;
}

}  // namespace warpwise::bench
