// Where ladders are.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/suggest.h"
#include "bench/ladder/ladder.h"
#include "toolchain/installation.h"

namespace warpwise::bench {

namespace fs = std::filesystem;

std::vector<fs::path> ladders_below(const fs::path& root) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(root, error))
    if (fs::exists(entry.path() / "ladder.toml", error)) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  return folders;
}

Result<fs::path> ladder_root() {
  std::error_code error;
  if (const char* named = std::getenv("WARPWISE_LADDERS"); named && *named) return fs::path(named);
  if (!ladders_below("kernels").empty()) return fs::absolute("kernels", error);
  const fs::path ours = toolchain::Installation::find().root / "share/warpwise/kernels";
  if (!ladders_below(ours).empty()) return ours;
  return Error{"B0002", "there are no ladders: neither ./kernels nor WARPWISE_LADDERS has a folder with a ladder.toml"};
}

Result<Ladder> find_ladder(const std::string& name) {
  std::error_code error;
  // A folder, or a file in one, by its path.
  fs::path folder = fs::is_directory(name, error) ? fs::path(name) : fs::absolute(name, error).parent_path();
  const bool is_path = name.find('/') != name.npos || name.ends_with(".cu");
  if (is_path && fs::exists(folder / "ladder.toml", error)) return load_ladder(folder);
  if (is_path && fs::exists(name, error))
    return Error{"B0003", fmt::format("`{}` stands beside no ladder.toml: --ladder=NAME says what it computes", name)};
  const fs::path root = TRY(ladder_root());
  if (fs::exists(root / name / "ladder.toml", error)) return load_ladder(root / name);
  std::vector<std::string> names;
  for (const fs::path& other : ladders_below(root)) names.push_back(other.filename().string());
  return Error{"B0003", fmt::format("there is no ladder `{}`{}", name,
                                    did_you_mean(name, std::vector<std::string_view>(names.begin(), names.end())))};
}

}  // namespace warpwise::bench
