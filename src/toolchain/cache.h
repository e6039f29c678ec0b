// The cache on disk: what compilers made, found again by the hash of what they made it from.
//
//     ROOT/v1/3/KEY.inputs     which files a compilation read, and the key of what came out
//     ROOT/v1/3/KEY.code       machine code of a kernel (the engine's)
//     ROOT/v1/3/KEY.program/   an executable and its PTX, with an index that proves both
//     ROOT/v1/tmp/             being made
//
// Promises. An entry appears by rename, whole or not at all, so any number of processes may share a
// cache. What does not prove itself (cache_file.h) is removed and counts as absent. A cache that cannot
// be written, or is full, costs speed and never a run: store() returns false, and no caller stops. Each of the 16
// shards (first digit of the key) keeps to a sixteenth of the limit by dropping what was used longest
// ago, so that no store has to read the whole cache.
//
// An installation has a second cache that is only read (prepared_folder): folders that every user would make again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "toolchain/files.h"

namespace warpwise::toolchain {

constexpr uint64_t kDefaultCacheLimit = uint64_t{2} << 30;

class Cache {
 public:
  // WARPWISE_CACHE_DIR, or warpwise/ in the XDG cache folder. WARPWISE_CACHE_SIZE (such as 500M or 4G;
  // 0 switches the cache off) bounds it.
  static Cache from_environment();
  // `prepared`: a cache that is searched for folders as well, and never changed; "": none.
  explicit Cache(std::filesystem::path root, uint64_t limit = kDefaultCacheLimit, std::filesystem::path prepared = {});

  // The installation's own cache: what `warpwise cache prepare` made.
  static std::filesystem::path prepared_folder();

  // False when nothing can be kept; everything below then answers "absent" or "no".
  bool usable() const { return usable_; }
  // Why it is not usable, as a sentence without a full stop: no home folder, size 0, or a folder that cannot be
  // written.
  std::string why_unusable() const;
  const std::filesystem::path& root() const { return root_; }
  uint64_t limit() const { return limit_; }

  std::optional<std::string> load(std::string_view kind, std::string_view key) const;
  bool store(std::string_view kind, std::string_view key, std::string_view payload) const;

  // A folder to build in, on the cache's own file system so that it can be renamed into place.
  Result<TemporaryFolder> scratch() const;
  // The folder stored under `key`, every file in it proved.
  std::optional<std::filesystem::path> find_folder(std::string_view key) const;
  // Moves a folder of plain files into the cache. When another process was faster, its folder is the
  // answer. Nothing when it cannot be kept; the folder then stays where it is.
  std::optional<std::filesystem::path> store_folder(std::string_view key, TemporaryFolder& folder) const;

  struct Usage {
    uint64_t bytes = 0;
    uint64_t programs = 0, code = 0, inputs = 0;
  };
  Usage usage() const;
  // Removes every entry; false when something could not be removed.
  bool clear() const;

 private:
  std::filesystem::path shard_of(std::string_view key) const;
  std::optional<std::filesystem::path> find_prepared(std::string_view key) const;
  void shrink(const std::filesystem::path& shard) const;
  void sweep_scratch() const;

  std::filesystem::path root_, prepared_;
  uint64_t limit_;
  bool usable_ = false;
  bool of_installation_ = false;  // `prepared_` is prepared_folder(), which takes a while to find
};

// "500M", "4G", "123456" as bytes; nothing when it is not a size.
std::optional<uint64_t> parse_size(std::string_view text);

}  // namespace warpwise::toolchain
