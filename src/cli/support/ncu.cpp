#include "cli/support/ncu.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <vector>

#include "cli/support/child.h"
#include "perf/measured/ncu.h"
#include "toolchain/files.h"

namespace warpwise::cli {

namespace fs = std::filesystem;

namespace {

// It runs each kernel some ten times, and saves and restores memory in between.
constexpr unsigned kLaunchesBelowNcu = 100;

bool is_program(const fs::path& file) {
  std::error_code error;
  return access(file.c_str(), X_OK) == 0 && fs::is_regular_file(file, error);
}

}  // namespace

std::optional<fs::path> find_ncu() {
  if (const char* named = std::getenv("WARPWISE_NCU"); named && *named)
    return is_program(named) ? std::optional<fs::path>(named) : std::nullopt;
  std::vector<fs::path> places;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (!folder.empty()) places.push_back(fs::path(folder) / "ncu");
  places.emplace_back("/usr/local/cuda/bin/ncu");
  std::error_code error;
  std::vector<fs::path> versions;
  for (const fs::directory_entry& entry : fs::directory_iterator("/opt/nvidia/nsight-compute", error))
    versions.push_back(entry.path() / "ncu");
  std::sort(versions.rbegin(), versions.rend());
  places.insert(places.end(), versions.begin(), versions.end());
  for (const fs::path& place : places)
    if (is_program(place)) return place;
  return std::nullopt;
}

off_t place_of_input() {
  struct stat input{};
  return fstat(STDIN_FILENO, &input) == 0 && S_ISREG(input.st_mode) ? lseek(STDIN_FILENO, 0, SEEK_CUR) : -1;
}

void be_silent(off_t input) {
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (input >= 0)
    lseek(STDIN_FILENO, input, SEEK_SET);
  else
    dup2(nowhere, STDIN_FILENO);
  dup2(nowhere, STDOUT_FILENO), dup2(nowhere, STDERR_FILENO);
}

Result<void> count_with_ncu(const fs::path& ncu, ProgramStart start, const fs::path& folder, off_t input,
                            perf::Profile& profile) {
  const fs::path log = folder / "ncu";
  Words words = perf::ncu_options(log.string(), kLaunchesBelowNcu);
  words.insert(words.begin(), ncu.string());
  words.push_back(start.file);
  words.insert(words.end(), start.words.begin() + (start.words.empty() ? 0 : 1), start.words.end());
  start.file = ncu.string(), start.words = std::move(words);
  const ChildEnd end = TRY(run_child([&]() -> int {
    be_silent(input);
    return become_program(start);
  }));
  auto text = toolchain::read_file(log);
  perf::NcuTable table = perf::read_ncu(text.ok() ? *text : "");
  profile.hardware = std::move(table.launches);
  if (profile.hardware.empty())
    profile.why_no_hardware =
        fmt::format("The GPU's own counters were not read: `{}` ended with {}: {}", ncu.string(),
                    end.signal ? fmt::format("signal {}", end.signal) : fmt::format("exit code {}", end.exit_code),
                    table.why_not.empty() ? "it has seen no kernel" : table.why_not);
  return {};
}

}  // namespace warpwise::cli
