#include "lab/sandbox/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace warpwise::lab::sandbox {
namespace {

// A whole file of /proc; empty when the process has gone.
std::string read_proc(const std::string& path) {
  std::string text;
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return text;
  char part[4096];
  for (ssize_t n; (n = read(fd, part, sizeof part)) > 0;) text.append(part, static_cast<size_t>(n));
  close(fd);
  return text;
}

void add_children(pid_t process, std::vector<pid_t>& into) {
  // A child belongs to the thread that made it.
  std::string tasks = fmt::format("/proc/{}/task", process);
  DIR* folder = opendir(tasks.c_str());
  if (!folder) return;
  while (dirent* entry = readdir(folder)) {
    if (entry->d_name[0] == '.') continue;
    std::string children = read_proc(fmt::format("{}/{}/children", tasks, entry->d_name));
    for (char* at = children.data(); *at;) {
      char* end = at;
      long child = std::strtol(at, &end, 10);
      if (end == at) break;
      into.push_back(static_cast<pid_t>(child));
      at = end;
      while (*at == ' ') ++at;
    }
  }
  closedir(folder);
}

// What a process has besides its resident pages, in bytes: page tables, which memory that is only read fills without
// becoming resident, and pages in swap (proc_pid_status(5): VmPTE, VmSwap; in KiB).
uint64_t memory_besides_resident(pid_t process) {
  uint64_t bytes = 0;
  const std::string status = read_proc(fmt::format("/proc/{}/status", process));
  for (const std::string_view name : {"\nVmPTE:", "\nVmSwap:"})
    if (const size_t at = status.find(name); at != status.npos)
      bytes += std::strtoull(status.c_str() + at + name.size(), nullptr, 10) << 10;
  return bytes;
}

}  // namespace

bool can_see_children() { return access("/proc/thread-self/children", R_OK) == 0; }

std::vector<pid_t> processes_below(pid_t root) {
  std::vector<pid_t> found;
  add_children(root, found);
  for (size_t i = 0; i < found.size(); ++i) add_children(found[i], found);
  return found;
}

Usage usage_of(const std::vector<pid_t>& processes) {
  static const double tick = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
  static const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  Usage usage;
  for (pid_t process : processes) {
    // proc_pid_stat(5): after the name, which may contain anything, 3 is the state, 14 to 17 are ticks of the process
    // and of its children, 20 its threads, 24 its resident pages.
    std::string stat = read_proc(fmt::format("/proc/{}/stat", process));
    size_t name_end = stat.rfind(')');
    if (name_end == std::string::npos) continue;
    const char* at = stat.c_str() + name_end + 1;
    bool dead = at[0] == ' ' && at[1] == 'Z';
    for (int field = 3; field <= 24 && *at; ++field) {
      while (*at == ' ') ++at;
      if (field >= 14 && field <= 17)
        usage.processor_seconds += static_cast<double>(std::strtoll(at, nullptr, 10)) * tick;
      if (field == 20 && !dead) usage.tasks += static_cast<unsigned>(std::strtoul(at, nullptr, 10));
      if (field == 24 && !dead) usage.memory_bytes += std::strtoull(at, nullptr, 10) * page;
      while (*at && *at != ' ') ++at;
    }
    if (!dead) usage.memory_bytes += memory_besides_resident(process);
  }
  return usage;
}

void end_all_below_self() {
  for (;;) {
    for (pid_t process : processes_below(getpid())) kill(process, SIGKILL);
    bool none_left = false;
    for (;;) {
      pid_t gone = waitpid(-1, nullptr, WNOHANG);
      none_left = gone < 0;
      if (gone <= 0) break;
    }
    if (none_left) return;
    usleep(500);
  }
}

}  // namespace warpwise::lab::sandbox
