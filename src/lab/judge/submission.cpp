#include "lab/judge/submission.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace warpwise::lab {

Result<std::string> read_submission(const std::filesystem::path& file) {
  auto refuse = [&](const char* why) {
    return Error{"U0001", fmt::format("cannot read `{}`: {}", file.string(), why)};
  };
  // Opening a pipe must not wait for somebody who writes.
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return refuse(std::strerror(errno));
  struct stat info{};
  const bool regular = fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  std::string text;
  int reason = 0;
  char part[1 << 16];
  while (regular && text.size() <= kMostSourceBytes) {
    const ssize_t n = read(fd, part, sizeof part);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) reason = errno;
    if (n <= 0) break;
    text.append(part, static_cast<size_t>(n));
  }
  close(fd);
  if (!regular) return refuse(S_ISDIR(info.st_mode) ? "it is a folder" : "it is no regular file");
  if (reason) return refuse(std::strerror(reason));
  if (text.size() > kMostSourceBytes) text.resize(kMostSourceBytes + 1);
  return text;
}

}  // namespace warpwise::lab
