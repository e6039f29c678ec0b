#include "lab/sandbox/file_scope.h"

#include <algorithm>

namespace warpwise::lab::sandbox {

namespace fs = std::filesystem;

namespace {

fs::path real(const fs::path& path) {
  std::error_code error;
  fs::path found = fs::weakly_canonical(path, error);
  return error ? fs::path() : found;
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const auto [in_folder, in_path] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return in_folder == folder.end();
}

// Both are absolute and have no links.
bool is_within(const fs::path& path, const std::vector<fs::path>& folders) {
  return std::any_of(folders.begin(), folders.end(), [&](const fs::path& folder) { return is_below(path, folder); });
}

}  // namespace

FileScope::FileScope(const std::vector<fs::path>& own, const std::vector<std::string>& folders) {
  for (const fs::path& path : own) own_.push_back(real(path));
  for (const std::string& path : folders)
    if (fs::path found = real(path); !found.empty()) folders_.push_back(std::move(found));
}

// A folder of the system is looked up once, and so are its files (holds): nothing that runs in the sandbox can make
// links.
fs::path FileScope::real_name(const fs::path& path) const {
  const fs::path name = path.filename(), folder = path.parent_path();
  std::error_code error;
  if (folder.empty() || name == "." || name == ".." || fs::is_symlink(fs::symlink_status(path, error)))
    return real(path);
  {
    std::lock_guard lock(mutex_);
    if (const auto known = known_folders_.find(folder); known != known_folders_.end()) return known->second / name;
  }
  const fs::path found = real(folder);
  if (found.empty()) return {};
  if (is_within(found, folders_)) {
    std::lock_guard lock(mutex_);
    known_folders_.emplace(folder, found);
  }
  return found / name;
}

bool FileScope::holds(const fs::path& path) const {
  {
    std::lock_guard lock(mutex_);
    if (known_files_.contains(path.native())) return true;
  }
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return true;
  if (!fs::is_regular_file(status) || fs::file_size(path, error) > kMostNamedBytes || error) return false;
  const fs::path found = real_name(path);
  if (found.empty()) return false;
  if (std::find(own_.begin(), own_.end(), found) != own_.end()) return true;
  if (!is_within(found, folders_)) return false;
  if (is_within(path, folders_)) {
    std::lock_guard lock(mutex_);
    known_files_.insert(path.native());
  }
  return true;
}

std::optional<std::string> FileScope::outside_in_ptx(std::string_view ptx) const {
  constexpr std::string_view kDirective = ".file", kBlanks = " \t", kDigits = "0123456789";
  for (size_t at = 0; (at = ptx.find(kDirective, at)) != ptx.npos;) {
    at += kDirective.size();
    const size_t number = ptx.find_first_not_of(kBlanks, at);
    const size_t behind = ptx.find_first_not_of(kDigits, std::min(number, ptx.size()));
    const size_t quote = ptx.find_first_not_of(kBlanks, std::min(behind, ptx.size()));
    const size_t end = ptx.find_first_of("\"\\\n", quote == ptx.npos ? ptx.npos : quote + 1);
    if (number == at || number == behind || quote == ptx.npos || ptx[quote] != '"' || end == ptx.npos ||
        ptx[end] != '"')
      return "a .file directive of inline PTX";
    const std::string path(ptx.substr(quote + 1, end - quote - 1));
    if (!holds(path)) return "#line " + path;
    at = end;
  }
  return std::nullopt;
}

}  // namespace warpwise::lab::sandbox
