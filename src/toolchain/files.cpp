#include "toolchain/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <random>
#include <utility>

namespace warpwise::toolchain {
namespace fs = std::filesystem;

namespace {

// What a file is that is not regular, for a message.
const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

// The longest report that users are known to keep has 20 MB.
constexpr size_t kMostStreamBytes = size_t{256} << 20;

// Up to the end. Returns 0, or an errno; EFBIG for more than `most` bytes.
int read_all(int fd, size_t most, std::string& content) {
  char buffer[1 << 16];
  for (ssize_t got; (got = read(fd, buffer, sizeof buffer)) != 0;) {
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (content.size() + got > most) return EFBIG;
    content.append(buffer, got);
  }
  return 0;
}

}  // namespace

Result<std::string> read_file(const fs::path& path) {
  const auto refuse = [&](std::string_view reason) {
    return Error{"U0001", fmt::format("cannot read `{}`: {}", path.string(), reason)};
  };
  // Without O_NONBLOCK a named pipe waits here for a writer. Opening a device may already do something to it, so its
  // kind is looked up first; the descriptor is checked again because the name may lead elsewhere by then.
  struct stat info{};
  if (stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode))
    return refuse(fmt::format("it is {}, not a regular file", kind_of(info.st_mode)));
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return refuse(std::strerror(errno));
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    close(fd);
    return refuse(fmt::format("it is {}, not a regular file", kind_of(info.st_mode)));
  }
  std::string content;
  if (info.st_size > 0) content.reserve(info.st_size + 1);
  const int reason = read_all(fd, SIZE_MAX, content);
  close(fd);
  if (reason) return refuse(std::strerror(reason));
  return content;
}

Result<std::string> read_stream(const fs::path& path) {
  const auto refuse = [&](std::string_view reason) {
    return Error{"U0001", fmt::format("cannot read `{}`: {}", path.string(), reason)};
  };
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return refuse(std::strerror(errno));
  std::string content;
  const int reason = read_all(fd, kMostStreamBytes, content);
  close(fd);
  if (reason == EFBIG) return refuse(fmt::format("it has more than {} MiB", kMostStreamBytes >> 20));
  if (reason) return refuse(reason == EISDIR ? "it is a folder" : std::strerror(reason));
  return content;
}

namespace {

// An open file that closes itself; the destructor ignores errors, close_now() reports them.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  bool close_now() { return close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

bool write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t put = write(fd, content.data(), content.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    content.remove_prefix(put);
  }
  return true;
}

// Where an output path leads: a file by its real name, or an open descriptor of this process.
struct Target {
  fs::path path;
  int descriptor = -1;
};

// The number in /proc/self/fd/N, by whichever of its names the path has it (/dev/fd/N, /dev/stdout); -1 for all other
// paths. Opening such a name again would give a pipe's other end or a file at offset 0: the descriptor itself is meant.
int descriptor_named(const fs::path& path) {
  std::error_code error;
  const fs::path folder = fs::canonical(path.parent_path().empty() ? fs::path(".") : path.parent_path(), error);
  if (error || (folder != fmt::format("/proc/{}/fd", getpid()) &&
                folder != fmt::format("/proc/{}/task/{}/fd", getpid(), gettid())))
    return -1;
  const std::string name = path.filename();
  int number = -1;
  const auto [end, bad] = std::from_chars(name.data(), name.data() + name.size(), number);
  return bad == std::errc{} && end == name.data() + name.size() ? number : -1;
}

// Follows symbolic links, one that leads to no file yet among them.
Result<Target> target_of(fs::path path) {
  constexpr int kMostLinks = 40;  // as many as Linux follows (path_resolution(7))
  for (int links = 0; links <= kMostLinks; ++links) {
    if (const int number = descriptor_named(path); number >= 0) return Target{path, number};
    std::error_code error;
    if (!fs::is_symlink(path, error)) return Target{path};
    const fs::path next = fs::read_symlink(path, error);
    if (error) return Error{"U0002", fmt::format("cannot write `{}`: {}", path.string(), error.message())};
    path = path.parent_path() / next;  // an absolute `next` replaces it all
  }
  return Error{"U0002", fmt::format("cannot write `{}`: {}", path.string(), std::strerror(ELOOP))};
}

// A new file of that mode beside `target`; its name is put into `name`. The kernel applies the umask.
int create_beside(const fs::path& target, mode_t mode, std::string& name) {
  std::random_device random;
  for (int attempt = 0; attempt < 100; ++attempt) {
    name = (target.parent_path() / fmt::format(".warpwise-{:08x}{:08x}", random(), random())).string();
    const int fd = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

// The folder takes no new file, or the name is a mount point: what is there can only be overwritten.
bool allows_only_overwriting(int reason) {
  return reason == EACCES || reason == EPERM || reason == EROFS || reason == EBUSY;
}

bool write_in_place(const fs::path& path, std::string_view content, int more_flags) {
  Descriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | more_flags));
  return file.get() >= 0 && write_all(file.get(), content) && file.close_now();
}

// `old`: what is there already, or nullptr.
bool replace_file(const fs::path& path, const struct stat* old, std::string_view content) {
  if (old && access(path.c_str(), W_OK) != 0) return false;
  std::string temporary;
  {
    Descriptor file(create_beside(path, 0666, temporary));
    if (file.get() < 0) return old && allows_only_overwriting(errno) && write_in_place(path, content, O_TRUNC);
    if (old && (old->st_uid != geteuid() || old->st_gid != getegid()))
      (void)!fchown(file.get(), old->st_uid, old->st_gid);
    const bool written =
        (!old || fchmod(file.get(), old->st_mode & 07777) == 0) && write_all(file.get(), content) && file.close_now();
    if (written && rename(temporary.c_str(), path.c_str()) == 0) return true;
  }
  const int reason = errno;
  unlink(temporary.c_str());
  errno = reason;
  return old && allows_only_overwriting(reason) && write_in_place(path, content, O_TRUNC);
}

}  // namespace

Result<void> write_file(const fs::path& path, std::string_view content) {
  const Target target = TRY(target_of(path));
  const auto failed = [&] {
    return Error{"U0002", fmt::format("cannot write `{}`: {}", path.string(), std::strerror(errno))};
  };
  if (target.descriptor >= 0) return write_all(target.descriptor, content) ? Result<void>() : failed();
  struct stat old{};
  const bool exists = stat(target.path.c_str(), &old) == 0;
  if (!exists && errno != ENOENT) return failed();
  if (exists && !S_ISREG(old.st_mode)) return write_in_place(target.path, content, 0) ? Result<void>() : failed();
  if (!exists && target.path.has_parent_path()) {
    std::error_code error;
    fs::create_directories(target.path.parent_path(), error);
    if (error) return Error{"U0002", fmt::format("cannot make the folder of `{}`: {}", path.string(), error.message())};
  }
  return replace_file(target.path, exists ? &old : nullptr, content) ? Result<void>() : failed();
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
