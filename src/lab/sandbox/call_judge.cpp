#include "lab/sandbox/call_judge.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "lab/sandbox/process_tree.h"

namespace warpwise::lab::sandbox {
namespace {

namespace fs = std::filesystem;
using Answer = CallJudge::Answer;

constexpr size_t kMaxRefused = 8;

// CLONE_NEW*: a namespace of its own (sched.h; CLONE_NEWTIME shares its bit with the exit signal and is for clone3
// alone).
constexpr uint64_t kNewNamespaces =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

std::string call_name(int number) {
  std::unique_ptr<char, void (*)(void*)> name(seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number), std::free);
  return name ? name.get() : fmt::format("call {}", number);
}

// A text in the command's memory, cut where a path would be too long.
std::string text_at(pid_t thread, uint64_t address) {
  std::string text;
  int memory = open(fmt::format("/proc/{}/mem", thread).c_str(), O_RDONLY | O_CLOEXEC);
  if (memory < 0) return text;
  char part[256];
  while (text.size() < 4096) {
    // Never across a page that may not be there.
    size_t want = std::min<size_t>(sizeof part, 4096 - (address & 4095));
    ssize_t n = pread(memory, part, want, static_cast<off_t>(address));
    if (n <= 0) break;
    size_t length = strnlen(part, static_cast<size_t>(n));
    text.append(part, length);
    if (length < static_cast<size_t>(n)) break;
    address += static_cast<uint64_t>(n);
  }
  close(memory);
  return text;
}

// The target of a path: links are followed as far as the files exist.
std::string resolved(pid_t thread, int folder, const std::string& path) {
  std::error_code error;
  fs::path base;
  if (path.empty() || path[0] != '/')
    base = fs::read_symlink(
        folder == AT_FDCWD ? fmt::format("/proc/{}/cwd", thread) : fmt::format("/proc/{}/fd/{}", thread, folder),
        error);
  fs::path whole = (base / path).lexically_normal();
  fs::path real = fs::weakly_canonical(whole, error);
  return error ? whole.string() : real.string();
}

// The numbers of the asking process and thread in the innermost namespace.
struct Self {
  int64_t process = -1, thread = -1;
};
Self self_of(pid_t thread) {
  Self self;
  FILE* status = std::fopen(fmt::format("/proc/{}/status", thread).c_str(), "re");
  if (!status) return self;
  char line[512];
  while (std::fgets(line, sizeof line, status)) {
    bool process = std::strncmp(line, "NStgid:", 7) == 0;
    if (!process && std::strncmp(line, "NSpid:", 6) != 0) continue;
    const char* last = std::strrchr(line, '\t');
    if (last) (process ? self.process : self.thread) = std::atoll(last + 1);
  }
  std::fclose(status);
  return self;
}

bool within(const std::vector<std::string>& folders, const std::string& path) {
  return std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) {
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/' || folder == "/");
  });
}

std::string real_path(const std::string& path) {
  std::error_code error;
  return fs::weakly_canonical(path, error).string();
}

// Files that programs read on their own account: the loader, the C library, and Clang, which looks up the distribution.
constexpr const char* kHarmless[] = {"/proc/cpuinfo",      "/proc/meminfo",   "/proc/stat",
                                     "/proc/filesystems",  "/proc/sys",       "/sys",
                                     "/etc/ld.so.preload", "/etc/localtime",  "/etc/debian_version",
                                     "/etc/lsb-release",   "/etc/os-release", "/etc/redhat-release",
                                     "/etc/SuSE-release"};

// Devices: Landlock opens some to programs and fewer to compilers (landlock.cpp).
constexpr const char* kDevicesOfCompilers[] = {"/dev/null", "/dev/urandom", "/dev/tty"};

Answer fails(int error) { return {Answer::Fails, error}; }
Answer ends(std::string what) { return {Answer::Ends, 0, End::ForbiddenCall, std::move(what)}; }

Answer signal_to(const seccomp_notif& question, int64_t process, std::optional<int64_t> thread) {
  Self self = self_of(static_cast<pid_t>(question.pid));
  // In its own session, its group has only its own processes.
  bool own = process == self.process || process == 0 || (thread && *thread == self.thread);
  if (own) return {};
  return ends(fmt::format("{} of another process ({})", call_name(question.data.nr), process));
}

std::string family_name(uint64_t family) {
  switch (family) {
    case AF_INET:
      return "AF_INET";
    case AF_INET6:
      return "AF_INET6";
    case AF_NETLINK:
      return "AF_NETLINK";
    case AF_PACKET:
      return "AF_PACKET";
    default:
      return fmt::format("{}", family);
  }
}

}  // namespace

CallJudge::CallJudge(const Job& job, int supervisor, unsigned overhead)
    : job_(job), supervisor_(supervisor), overhead_(overhead) {
  for (const std::string& path : job.writable) writable_.push_back(real_path(path));
  for (const std::string& path : job.readable) readable_.push_back(real_path(path));
  // Also as written: /lib is a link on most machines.
  readable_.insert(readable_.end(), job.readable.begin(), job.readable.end());
  readable_.insert(readable_.end(), std::begin(kHarmless), std::end(kHarmless));
  if (job.may_start_programs)
    readable_.insert(readable_.end(), std::begin(kDevicesOfCompilers), std::end(kDevicesOfCompilers));
  else
    readable_.push_back("/dev");
}

void CallJudge::note(std::string what) {
  if (refused_.size() < kMaxRefused && std::find(refused_.begin(), refused_.end(), what) == refused_.end())
    refused_.push_back(std::move(what));
}

// Landlock decides; this code records the attempt.
Answer CallJudge::file(const seccomp_notif& question, int folder, uint64_t address, uint64_t flags) {
  auto thread = static_cast<pid_t>(question.pid);
  std::string path = text_at(thread, address);
  // Most are the system's headers and libraries, where a command can put no links.
  const bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
  if (!writes && path.starts_with('/') && path.find("/..") == path.npos && within(readable_, path)) return {};
  std::string real = resolved(thread, folder, path);
  bool own = (!writes && within(readable_, real)) || within(writable_, real) ||
             (job_.may_start_programs ? real == "/dev/null" : within({"/dev"}, real)) ||
             real.starts_with(fmt::format("/proc/{}/", question.pid)) || path.starts_with("/proc/self/");
  // Programs look for files in many places. If a file does not exist, nothing was refused.
  std::error_code error;
  if (!own && !writes && !fs::exists(fs::symlink_status(real, error))) return {};
  if (!own) note(fmt::format("{} {}", writes ? "write" : "open", path.starts_with('/') ? path : real));
  return {};
}

// chmod, done here with a path that can no longer change: linkers use it to make their output executable.
Answer CallJudge::change_mode(const seccomp_notif& question, int folder, uint64_t address, uint64_t mode) {
  auto thread = static_cast<pid_t>(question.pid);
  std::string real = resolved(thread, folder, text_at(thread, address));
  for (const std::string& base : writable_) {
    fs::path inside = fs::path(real).lexically_relative(base);
    if (inside.empty() || *inside.begin() == "..") continue;
    int at = open(base.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    open_how how{};
    how.flags = O_PATH | O_CLOEXEC;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
    long fd = syscall(SYS_openat2, at, inside.c_str(), &how, sizeof how);
    if (at >= 0) close(at);
    if (fd < 0) return fails(ENOENT);
    int failed = ::chmod(fmt::format("/proc/self/fd/{}", fd).c_str(), static_cast<mode_t>(mode & 0777));
    int reason = errno;
    close(static_cast<int>(fd));
    return failed ? fails(reason) : Answer{Answer::Done};
  }
  note("chmod " + real);
  return fails(EPERM);
}

Answer CallJudge::new_task(const seccomp_notif& question, uint64_t flags) {
  if (flags & kNewNamespaces) return ends(fmt::format("{} into new namespaces", call_name(question.data.nr)));
  bool thread = flags & CLONE_THREAD;
  if (!thread && !job_.may_start_programs) return ends("fork: it starts another process");
  if (usage_of(processes_below(supervisor_)).tasks >= job_.limits.tasks + overhead_)
    return {Answer::Ends, 0, End::TooManyTasks, ""};
  return {};
}

Answer CallJudge::answer(const seccomp_notif& question) {
  const __u64* a = question.data.args;
  auto number = [&](int i) { return static_cast<int32_t>(a[i]); };
  switch (question.data.nr) {
#ifdef SYS_open
    case SYS_open:
      return file(question, AT_FDCWD, a[0], a[1]);
    case SYS_creat:
      return file(question, AT_FDCWD, a[0], O_WRONLY | O_CREAT | O_TRUNC);
    case SYS_chmod:
      return change_mode(question, AT_FDCWD, a[0], a[1]);
    case SYS_fork:
    case SYS_vfork:
      return new_task(question, 0);
    case SYS_link:
    case SYS_symlink:
      note(fmt::format("{} to {}", call_name(question.data.nr), text_at(static_cast<pid_t>(question.pid), a[0])));
      return fails(EPERM);
#endif
    case SYS_openat:
      return file(question, number(0), a[1], a[2]);
    case SYS_openat2:
      return file(question, number(0), a[1], O_RDONLY);  // its flags lie in memory
    case SYS_fchmodat:
      return change_mode(question, number(0), a[1], a[2]);
    case SYS_linkat:
      note("link to " + text_at(static_cast<pid_t>(question.pid), a[1]));
      return fails(EPERM);
    case SYS_symlinkat:
      note("symlink to " + text_at(static_cast<pid_t>(question.pid), a[0]));
      return fails(EPERM);
    case SYS_clone:
      return new_task(question, a[0]);
    case SYS_execve:
    case SYS_execveat: {
      // The first is our own, which starts the command.
      if (programs_++ == 0 || job_.may_start_programs) return {};
      uint64_t path = question.data.nr == SYS_execve ? a[0] : a[1];
      return ends("exec " + text_at(static_cast<pid_t>(question.pid), path));
    }
    case SYS_kill:
      return signal_to(question, number(0), std::nullopt);
    case SYS_tkill:
      return signal_to(question, -1, number(0));
    case SYS_tgkill:
    case SYS_rt_sigqueueinfo:
    case SYS_rt_tgsigqueueinfo:
      return signal_to(question, number(0), std::nullopt);
    case SYS_prlimit64:
    case SYS_sched_setaffinity: {
      Self self = self_of(static_cast<pid_t>(question.pid));
      if (number(0) == 0 || number(0) == self.process || number(0) == self.thread) return {};
      return ends(fmt::format("{} of another process ({})", call_name(question.data.nr), number(0)));
    }
    case SYS_socket:
      // The C library asks a name service through a local socket, and can fall back to files.
      if (number(0) == AF_UNIX) return fails(EACCES);
      return ends(fmt::format("socket({})", family_name(a[0])));
    case SYS_mmap:
    case SYS_memfd_create:
      // A process can fill such memory without having it mapped, so that the limit on resident memory does not hold.
      if (job_.may_start_programs || job_.limits.file_bytes == 0) return {};
      return ends(question.data.nr == SYS_mmap ? "mmap of shared memory" : "memfd_create()");
    case SYS_ioctl:
      // The process that gets a signal when a socket is ready may be any process.
      if (static_cast<uint32_t>(a[1]) == FIOSETOWN || static_cast<uint32_t>(a[1]) == SIOCSPGRP)
        return ends("ioctl(FIOSETOWN)");
      // Types into the caller's terminal.
      if (static_cast<uint32_t>(a[1]) == TIOCSTI || static_cast<uint32_t>(a[1]) == TIOCLINUX)
        return ends("ioctl(TIOCSTI)");
      return {};
    case SYS_fcntl:
      // The process that gets a signal when a descriptor is ready may be any process.
      if (number(1) == F_SETOWN || number(1) == F_SETOWN_EX) return ends("fcntl(F_SETOWN)");
      return {};
    default:
      return ends(call_name(question.data.nr) + "()");
  }
}

}  // namespace warpwise::lab::sandbox
