#include "cli/lab/own_temporaries.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string>

#include "cli/support/caught_signals.h"
#include "cli/support/child.h"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBegin = "warpwise-lab-";
// A folder is made first and locked then.
constexpr time_t kSecondsUntilLocked = 60;

// Of a folder of this user's; -1: it is not, or another process has it.
int lock(const fs::path& folder) {
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat info{};
  if (fd >= 0 && (fstat(fd, &info) != 0 || info.st_uid != geteuid() || flock(fd, LOCK_EX | LOCK_NB) != 0)) {
    close(fd);
    return -1;
  }
  return fd;
}

void remove_what_killed_ones_left(const fs::path& temporary) {
  std::error_code error;
  for (fs::directory_iterator at(temporary, error), end; !error && at != end; at.increment(error)) {
    if (!at->path().filename().string().starts_with(kBegin)) continue;
    const int fd = lock(at->path());
    if (fd < 0) continue;
    struct stat info{};
    std::error_code ignored;
    if (fstat(fd, &info) == 0 && info.st_mtime + kSecondsUntilLocked < std::time(nullptr))
      fs::remove_all(at->path(), ignored);
    close(fd);
  }
}

// Processes that were killed a moment ago may still be writing.
void remove_folder(const fs::path& folder) {
  constexpr int kTries = 40;
  std::error_code error;
  for (int tries = 0; tries < kTries; ++tries) {
    fs::remove_all(folder, error);
    if (!fs::exists(folder, error)) return;
    usleep(50'000);
  }
}

[[noreturn]] void end_like(const ChildEnd& child) {
  if (child.signal == 0) _exit(child.exit_code);
  signal(child.signal, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, child.signal);
  sigprocmask(SIG_UNBLOCK, &only, nullptr);
  raise(child.signal);
  _exit(128 + child.signal);
}

}  // namespace

Result<void> use_own_temporaries() {
  std::error_code error;
  const fs::path temporary = fs::temp_directory_path(error);
  remove_what_killed_ones_left(temporary);
  // To the end of the removal: a signal often comes twice, by a process's number and by its group's.
  std::optional<CaughtSignals> signals(std::in_place);
  TRY(CaughtSignals::begin(*signals));
  std::string name = temporary / (std::string(kBegin) + "XXXXXX");
  if (!mkdtemp(name.data())) return {};
  const int held = lock(name);
  auto child = fork_child(*signals);
  if (child && !*child) {
    if (held >= 0) close(held);
    setenv("TMPDIR", name.c_str(), 1);
    return {};
  }
  remove_folder(name);
  if (held >= 0) close(held);
  signals.reset();
  if (!child) return child.error();
  end_like(**child);
}

}  // namespace warpwise::cli
