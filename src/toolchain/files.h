// Reading and writing whole files, and temporary folders.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace warpwise::toolchain {

// The content of a regular file. U0001 when it cannot be read, with the system's reason, or when it is a folder, a
// pipe, a socket or a device: those may have no end, or wait for a writer that never comes.
Result<std::string> read_file(const std::filesystem::path& path);

// What a user names as an input and reads once: a pipe, too (`--new-only=<(git show main:known.json)`, /dev/stdin).
// Waits for a writer. U0001 when it cannot be read, is a folder, or has more than 256 MiB.
Result<std::string> read_stream(const std::filesystem::path& path);

// Writes an output file; U0002 when it cannot be done.
//   A regular file, or none yet   written beside the target and renamed: a reader sees the old content or the new one,
//                                 never half of it, even when several processes write. Mode and owner stay.
//   A symbolic link               the same for the file that it leads to; the link stays
//   A pipe, a device              written into, never replaced
//   /dev/fd/N, /dev/stdout        written to the open descriptor N of this process
// Missing folders are made. Where the folder takes no new file, an existing one is overwritten in place.
Result<void> write_file(const std::filesystem::path& path, std::string_view content);

// Shows that a file has not changed, without reading it.
struct FileStamp {
  uint64_t size = 0;
  int64_t modified_ns = 0;
  int64_t changed_ns = 0;  // of the inode: cannot be set back, unlike the modification time
  uint64_t inode = 0;
  bool operator==(const FileStamp&) const = default;
};
std::optional<FileStamp> stamp_of(const std::filesystem::path& path);

// A new empty folder below `parent`, removed with everything in it unless it is kept.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> create(const std::filesystem::path& parent);
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }
  void keep() { path_.clear(); }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace warpwise::toolchain
