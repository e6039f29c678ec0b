#include "cli/support/git_origin.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "toolchain/installation.h"
#include "toolchain/process.h"

namespace warpwise::cli {

namespace fs = std::filesystem;

namespace {

// What git prints in the folder of a file, without the end of the line; nothing if there is no git or no checkout.
std::optional<std::string> git(const fs::path& folder, const std::vector<std::string>& words) {
  const auto program = toolchain::find_on_path("git");
  if (!program) return std::nullopt;
  std::vector<std::string> command{program->string(), "-C", folder.string()};
  command.insert(command.end(), words.begin(), words.end());
  auto results = toolchain::run_jobs({{std::move(command)}});
  if (!results || (*results)[0].exit_code != 0) return std::nullopt;
  std::string text = (*results)[0].output;
  text.erase(std::min(text.size(), text.find_last_not_of('\n') + 1));
  return text;
}

}  // namespace

perf::Origin origin_of(const std::string& source) {
  std::error_code error;
  fs::path folder = fs::absolute(source, error).parent_path();
  const auto commit = git(folder, {"rev-parse", "HEAD"});
  if (!commit) return {};
  const auto changes = git(folder, {"status", "--porcelain", "--untracked-files=no"});
  return {*commit, changes && !changes->empty()};
}

}  // namespace warpwise::cli
