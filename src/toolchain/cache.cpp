#include "toolchain/cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "base/home.h"
#include "toolchain/cache_file.h"
#include "toolchain/hash.h"
#include "toolchain/installation.h"

namespace warpwise::toolchain {
namespace fs = std::filesystem;
namespace {

constexpr const char* kIndexName = "index";
constexpr const char* kFolderKind = "program";
constexpr unsigned kShards = 16;

// "Used just now", for the order in which entries are dropped.
void touch(const fs::path& path) { utimensat(AT_FDCWD, path.c_str(), nullptr, 0); }

void discard(const fs::path& path) {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

// The index of a folder: "HASH NAME" lines, sorted by name. Nothing when something in it is not a file.
std::optional<std::string> index_of(const fs::path& folder) {
  std::vector<std::string> lines;
  std::error_code error;
  for (const fs::directory_entry& file : fs::directory_iterator(folder, error)) {
    std::string name = file.path().filename();
    if (name == kIndexName) continue;
    auto content = read_file(file.path());
    if (!content) return std::nullopt;
    lines.push_back(fmt::format("{} {}\n", hash_of(*content), name));
  }
  if (error) return std::nullopt;
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}", fmt::join(lines, ""));
}

struct StoredEntry {
  fs::path path;
  uint64_t bytes = 0;
  fs::file_time_type used;
};

std::vector<StoredEntry> entries_of(const fs::path& shard) {
  std::vector<StoredEntry> entries;
  std::error_code error;
  for (fs::directory_iterator at(shard, error), end; !error && at != end; at.increment(error)) {
    // Entries may vanish while we look: another process drops or replaces them.
    std::error_code gone;
    StoredEntry entry{at->path(), 0, at->last_write_time(gone)};
    if (at->is_directory(gone)) {
      for (fs::directory_iterator file(at->path(), gone), none; !gone && file != none; file.increment(gone)) {
        std::error_code one;
        uint64_t size = file->file_size(one);
        if (!one) entry.bytes += size;
      }
    } else {
      uint64_t size = at->file_size(gone);
      if (!gone) entry.bytes = size;
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace

std::optional<uint64_t> parse_size(std::string_view text) {
  uint64_t number = 0;
  auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  std::string_view unit(rest, text.data() + text.size() - rest);
  unsigned shift;
  if (unit.empty())
    shift = 0;
  else if (unit == "K" || unit == "k")
    shift = 10;
  else if (unit == "M" || unit == "m")
    shift = 20;
  else if (unit == "G" || unit == "g")
    shift = 30;
  else
    return std::nullopt;
  if (number > (UINT64_MAX >> shift)) return std::nullopt;
  return number << shift;
}

Cache Cache::from_environment() {
  auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
  const auto root = [&]() -> fs::path {
    if (std::string own = variable("WARPWISE_CACHE_DIR"); !own.empty()) return own;
    // The XDG base directory specification: a relative path in the variable is to be ignored.
    if (fs::path xdg = variable("XDG_CACHE_HOME"); xdg.is_absolute()) return xdg / "warpwise";
    const fs::path home = home_folder();
    return home.empty() ? fs::path() : home / ".cache/warpwise";
  };
  Cache cache(root(), parse_size(variable("WARPWISE_CACHE_SIZE")).value_or(kDefaultCacheLimit));
  cache.of_installation_ = true;
  return cache;
}

fs::path Cache::prepared_folder() { return Installation::find().libraries / "precompiled/cache"; }

Cache::Cache(fs::path root, uint64_t limit, fs::path prepared)
    : root_(std::move(root)), prepared_(std::move(prepared)), limit_(limit) {
  if (root_.empty() || limit_ == 0) return;
  std::error_code error;
  root_ = fs::absolute(root_, error);
  fs::create_directories(root_ / "v1/tmp", error);
  usable_ = access((root_ / "v1/tmp").c_str(), R_OK | W_OK | X_OK) == 0;
}

std::string Cache::why_unusable() const {
  if (root_.empty()) return "there is no home folder for the cache: HOME is not set, and the user has none";
  if (limit_ == 0) return "WARPWISE_CACHE_SIZE=0 switches the cache off";
  return fmt::format("the cache `{}` cannot be written", root_.string());
}

namespace {

fs::path shard_in(const fs::path& root, std::string_view key) { return root / "v1" / std::string(key.substr(0, 1)); }

}  // namespace

fs::path Cache::shard_of(std::string_view key) const { return shard_in(root_, key); }

std::optional<std::string> Cache::load(std::string_view kind, std::string_view key) const {
  if (!usable_ || !is_hash(key)) return std::nullopt;
  fs::path path = shard_of(key) / fmt::format("{}.{}", key, kind);
  auto file = read_file(path);
  if (!file) return std::nullopt;
  auto payload = decode_cache_file(key, *file);
  if (!payload) {
    discard(path);
    return std::nullopt;
  }
  touch(path);
  return std::string(*payload);
}

bool Cache::store(std::string_view kind, std::string_view key, std::string_view payload) const {
  if (!usable_ || !is_hash(key) || payload.size() > limit_ / kShards) return false;
  std::error_code error;
  fs::create_directories(shard_of(key), error);
  if (!write_file(shard_of(key) / fmt::format("{}.{}", key, kind), encode_cache_file(key, payload))) return false;
  shrink(shard_of(key));
  return true;
}

Result<TemporaryFolder> Cache::scratch() const {
  if (!usable_) return Error{"C0001", "the cache cannot be written"};
  return TemporaryFolder::create(root_ / "v1/tmp");
}

namespace {

// Whether every file of the folder is the one that its index proves.
bool is_proved(const fs::path& folder, std::string_view key) {
  auto index = read_file(folder / kIndexName);
  if (!index) return false;
  auto expected = decode_cache_file(key, *index);
  return expected && index_of(folder) == *expected;
}

}  // namespace

std::optional<fs::path> Cache::find_prepared(std::string_view key) const {
  const fs::path prepared = of_installation_ ? prepared_folder() : prepared_;
  if (prepared.empty() || limit_ == 0) return std::nullopt;
  fs::path folder = shard_in(prepared, key) / fmt::format("{}.{}", key, kFolderKind);
  return is_proved(folder, key) ? std::optional(folder) : std::nullopt;
}

std::optional<fs::path> Cache::find_folder(std::string_view key) const {
  if (!is_hash(key)) return std::nullopt;
  std::error_code error;
  fs::path folder = shard_of(key) / fmt::format("{}.{}", key, kFolderKind);
  if (!usable_ || !fs::exists(folder / kIndexName, error)) return find_prepared(key);
  if (!is_proved(folder, key)) {
    discard(folder);
    return find_prepared(key);
  }
  touch(folder);
  return folder;
}

std::optional<fs::path> Cache::store_folder(std::string_view key, TemporaryFolder& folder) const {
  if (!usable_ || !is_hash(key)) return std::nullopt;
  auto index = index_of(folder.path());
  if (!index || !write_file(folder.path() / kIndexName, encode_cache_file(key, *index))) return std::nullopt;
  fs::path target = shard_of(key) / fmt::format("{}.{}", key, kFolderKind);
  std::error_code error;
  fs::create_directories(target.parent_path(), error);
  fs::rename(folder.path(), target, error);
  if (error) return find_folder(key);  // another process made the same folder first
  folder.keep();
  shrink(target.parent_path());
  sweep_scratch();
  return target;
}

void Cache::shrink(const fs::path& shard) const {
  std::vector<StoredEntry> entries = entries_of(shard);
  uint64_t total = 0, most = limit_ / kShards;
  for (const StoredEntry& entry : entries) total += entry.bytes;
  if (total <= most) return;
  // Down to nine tenths, so that not every store has to drop something.
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.used < b.used; });
  for (const StoredEntry& entry : entries) {
    if (total <= most / 10 * 9) break;
    discard(entry.path);
    total -= entry.bytes;
  }
}

// Removes files that a crash or a kill has left, after a day.
void Cache::sweep_scratch() const {
  std::error_code error;
  auto yesterday = fs::file_time_type::clock::now() - std::chrono::hours(24);
  for (fs::directory_iterator at(root_ / "v1/tmp", error), end; !error && at != end; at.increment(error)) {
    std::error_code gone;
    if (at->last_write_time(gone) < yesterday && !gone) discard(at->path());
  }
}

Cache::Usage Cache::usage() const {
  Usage usage;
  for (unsigned shard = 0; usable_ && shard < kShards; ++shard)
    for (const StoredEntry& entry : entries_of(root_ / "v1" / fmt::format("{:x}", shard))) {
      usage.bytes += entry.bytes;
      std::string kind = entry.path.extension();
      usage.programs += kind == ".program";
      usage.code += kind == ".code";
      usage.inputs += kind == ".inputs";
    }
  return usage;
}

bool Cache::clear() const {
  if (!usable_) return true;
  std::error_code error;
  for (unsigned shard = 0; shard < kShards && !error; ++shard)
    fs::remove_all(root_ / "v1" / fmt::format("{:x}", shard), error);
  return !error;
}

}  // namespace warpwise::toolchain
