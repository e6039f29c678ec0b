#include "lab/sandbox/landlock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace warpwise::lab::sandbox {
namespace {

// The kernel's interface, with the additions of its later versions (ABI); the headers of Debian 12 know version 2.
struct RulesetAttributes {
  uint64_t files, network, scoped;
};
struct [[gnu::packed]] BeneathAttributes {
  uint64_t allowed;
  int32_t parent;
};
constexpr long kCreate = 444, kAddRule = 445, kRestrict = 446;  // the same on all architectures
constexpr uint32_t kAskVersion = 1;
constexpr int kBeneath = 1;

enum Right : uint64_t {
  kExecute = 1 << 0,
  kWriteFile = 1 << 1,
  kReadFile = 1 << 2,
  kReadFolder = 1 << 3,
  kRemoveFolder = 1 << 4,
  kRemoveFile = 1 << 5,
  kMakeCharacter = 1 << 6,
  kMakeFolder = 1 << 7,
  kMakeFile = 1 << 8,
  kMakeSocket = 1 << 9,
  kMakePipe = 1 << 10,
  kMakeBlock = 1 << 11,
  kMakeLink = 1 << 12,
  kRefer = 1 << 13,
  kTruncate = 1 << 14,
  kDeviceControl = 1 << 15,
};
constexpr uint64_t kFirstRights = (kMakeLink << 1) - 1;
constexpr uint64_t kForFiles = kExecute | kWriteFile | kReadFile | kTruncate | kDeviceControl;
constexpr uint64_t kRead = kExecute | kReadFile | kReadFolder;
// Everything but links, devices, pipes and sockets.
constexpr uint64_t kWrite =
    kRead | kWriteFile | kTruncate | kRemoveFolder | kRemoveFile | kMakeFolder | kMakeFile | kRefer;

class Ruleset {
 public:
  Ruleset(int fd, uint64_t handled) : fd_(fd), handled_(handled) {}
  ~Ruleset() { close(fd_); }
  Ruleset(const Ruleset&) = delete;

  Result<void> allow(const std::string& path, uint64_t rights) const {
    int at = open(path.c_str(), O_PATH | O_CLOEXEC);
    if (at < 0) return {};  // a missing file needs no permission
    struct stat info{};
    fstat(at, &info);
    rights &= handled_;
    if (!S_ISDIR(info.st_mode)) rights &= kForFiles;
    BeneathAttributes beneath{rights, at};
    long failed = syscall(kAddRule, fd_, kBeneath, &beneath, 0);
    int reason = errno;
    close(at);
    if (failed) return Error{"S0001", fmt::format("Landlock accepts no rule for {}: {}", path, std::strerror(reason))};
    return {};
  }
  bool restrict_self() const { return syscall(kRestrict, fd_, 0) == 0; }

 private:
  int fd_;
  uint64_t handled_;
};

}  // namespace

Result<void> confine_files(const Job& job, bool own_proc) {
  long version = syscall(kCreate, nullptr, 0, kAskVersion);
  if (version < 1)
    return Error{"S0001",
                 fmt::format("Landlock is missing or switched off (Linux 5.13 has it): {}", std::strerror(errno))};
  RulesetAttributes attributes{kFirstRights, 0, 0};
  if (version >= 2) attributes.files |= kRefer;
  if (version >= 3) attributes.files |= kTruncate;
  if (version >= 4) attributes.network = 3;  // TCP: bind, connect
  if (version >= 5) attributes.files |= kDeviceControl;
  if (version >= 6) attributes.scoped = 3;  // abstract sockets, signals
  // Older kernels take the shorter struct.
  size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  long fd = syscall(kCreate, &attributes, size, 0);
  if (fd < 0) return Error{"S0001", fmt::format("Landlock accepts no rules: {}", std::strerror(errno))};
  Ruleset rules(static_cast<int>(fd), attributes.files);
  for (const std::string& path : job.readable) TRY(rules.allow(path, kRead));
  for (const std::string& path : job.writable) TRY(rules.allow(path, kWrite));
  // A source can make its compiler read a device (`#include "/dev/zero"`), and compilers need no more than these two.
  TRY(rules.allow("/dev/null", kReadFile | kWriteFile));
  TRY(rules.allow("/dev/urandom", kReadFile));
  if (!job.may_start_programs) {
    // A shared mapping of /dev/zero that can be written is memory that no process's account holds.
    TRY(rules.allow("/dev/zero", kReadFile));
    TRY(rules.allow("/dev/full", kReadFile | kWriteFile));
    TRY(rules.allow("/dev/random", kReadFile));
  }
  if (own_proc) {
    TRY(rules.allow("/proc", kReadFile | kReadFolder));
  } else {
    TRY(rules.allow("/proc/self", kReadFile | kReadFolder));
    for (const char* path : {"/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys/vm/overcommit_memory"})
      TRY(rules.allow(path, kReadFile));
  }
  TRY(rules.allow("/sys/devices/system/cpu", kReadFile | kReadFolder));
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !rules.restrict_self())
    return Error{"S0001", fmt::format("Landlock cannot be applied: {}", std::strerror(errno))};
  return {};
}

}  // namespace warpwise::lab::sandbox
