#include "toolchain/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace warpwise::toolchain {
namespace fs = std::filesystem;

Result<std::string> read_file(const fs::path& path) {
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return Error{"U0001", fmt::format("cannot read `{}`: {}", path.string(), std::strerror(errno))};
  std::string content;
  struct stat info{};
  if (fstat(fd, &info) == 0 && info.st_size > 0) content.reserve(info.st_size + 1);
  char buffer[1 << 16];
  ssize_t got;
  while ((got = read(fd, buffer, sizeof buffer)) != 0) {
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      int reason = errno;
      close(fd);
      return Error{"U0001", fmt::format("cannot read `{}`: {}", path.string(), std::strerror(reason))};
    }
    content.append(buffer, got);
  }
  close(fd);
  return content;
}

Result<void> write_file(const fs::path& path, std::string_view content) {
  auto failed = [&](const char* what) {
    return Error{"U0002", fmt::format("cannot {} `{}`: {}", what, path.string(), std::strerror(errno))};
  };
  std::string temporary = path.string() + ".XXXXXX";
  int fd = mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) return failed("write");
  fchmod(fd, 0644);
  for (size_t at = 0; at < content.size();) {
    ssize_t put = write(fd, content.data() + at, content.size() - at);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) {
      Error error = failed("write");
      close(fd);
      unlink(temporary.c_str());
      return error;
    }
    at += put;
  }
  if (close(fd) != 0 || rename(temporary.c_str(), path.c_str()) != 0) {
    Error error = failed("write");
    unlink(temporary.c_str());
    return error;
  }
  return {};
}

std::optional<FileStamp> stamp_of(const fs::path& path) {
  struct stat info{};
  if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  auto nanoseconds = [](const timespec& t) { return int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec; };
  return FileStamp{static_cast<uint64_t>(info.st_size), nanoseconds(info.st_mtim), nanoseconds(info.st_ctim),
                   info.st_ino};
}

Result<TemporaryFolder> TemporaryFolder::create(const fs::path& parent) {
  std::string name = (parent / "warpwise-XXXXXX").string();
  if (!mkdtemp(name.data()))
    return Error{"U0002", fmt::format("cannot make a folder in `{}`: {}", parent.string(), std::strerror(errno))};
  return TemporaryFolder(name);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace warpwise::toolchain
