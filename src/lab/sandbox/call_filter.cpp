#include "lab/sandbox/call_filter.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <iterator>
#include <memory>

namespace warpwise::lab::sandbox {
namespace {

enum class Decision : uint8_t { Allow, Ask, Refuse, End };
struct Call {
  Decision decision;
  const char* name;
};
constexpr Call kCalls[] = {
#define CALL(decision, name) {Decision::decision, #name},
#include "lab/sandbox/calls.inc"
#undef CALL
};

// The filter asks about calls that end the command, too, so that the supervisor knows the call's name first.
uint32_t action_of(Decision decision) {
  switch (decision) {
    case Decision::Allow:
      return SCMP_ACT_ALLOW;
    case Decision::Ask:
    case Decision::End:
      return SCMP_ACT_NOTIFY;
    case Decision::Refuse:
      return SCMP_ACT_ERRNO(EPERM);
  }
  return SCMP_ACT_KILL_PROCESS;
}

using Filter = std::unique_ptr<void, void (*)(void*)>;

Result<Filter> new_filter() {
  Filter filter(seccomp_init(SCMP_ACT_ERRNO(ENOSYS)), [](void* f) { seccomp_release(f); });
  if (!filter) return Error{"S0001", "no memory for a seccomp filter"};
  // Calls of another architecture (int 0x80) have other numbers.
  seccomp_attr_set(filter.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
  seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2);  // a tree, not a list: 260 calls
  return filter;
}

Result<void> add(const Filter& filter, uint32_t action, const char* call,
                 std::initializer_list<scmp_arg_cmp> arguments = {}) {
  int number = seccomp_syscall_resolve_name(call);
  if (number < 0) return {};  // this architecture, or the library, does not have it: it stays forbidden
  int failed =
      seccomp_rule_add_array(filter.get(), action, number, static_cast<unsigned>(arguments.size()), arguments.begin());
  if (failed) return Error{"S0001", fmt::format("seccomp accepts no rule for {}: {}", call, std::strerror(-failed))};
  return {};
}

scmp_arg_cmp is(unsigned argument, uint64_t value) {
  return {argument, SCMP_CMP_MASKED_EQ, 0xffffffff, value & 0xffffffff};
}

constexpr unsigned kFlagsOfMmap = 3;  // the argument

// Private memory, and memory of a file: what a process has mapped of it is counted as its own.
Result<void> allow_counted_mappings(const Filter& filter) {
  for (uint64_t absent : {uint64_t{MAP_SHARED}, uint64_t{MAP_ANONYMOUS}})
    TRY(add(filter, SCMP_ACT_ALLOW, "mmap", {{kFlagsOfMmap, SCMP_CMP_MASKED_EQ, absent, 0}}));
  return {};
}

// Pages of shared memory without a file stay when their process gives them up, and are then in no process's account.
scmp_arg_cmp shares_memory() {
  constexpr uint64_t kBoth = MAP_SHARED | MAP_ANONYMOUS;
  return {kFlagsOfMmap, SCMP_CMP_MASKED_EQ, kBoth, kBoth};
}

}  // namespace

Result<void> load_call_filter_alone() {
  Filter filter = TRY(new_filter());
  for (const Call& call : kCalls) {
    if (call.decision == Decision::Allow || call.decision == Decision::Refuse)
      TRY(add(filter, action_of(call.decision), call.name));
    if (call.decision == Decision::End) TRY(add(filter, SCMP_ACT_KILL_PROCESS, call.name));
  }
  const auto self = static_cast<uint64_t>(getpid());
  for (const char* file : {"open", "openat", "openat2", "creat"}) TRY(add(filter, SCMP_ACT_ALLOW, file));
  // The virtual GPU's memory is a file without a name.
  for (const char* memory : {"mmap", "memfd_create"}) TRY(add(filter, SCMP_ACT_ALLOW, memory));
  TRY(add(filter, SCMP_ACT_ALLOW, "clone", {{0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD}}));
  for (const char* signal : {"kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"})
    TRY(add(filter, SCMP_ACT_ALLOW, signal, {is(0, self)}));
  for (const char* own : {"prlimit64", "sched_setaffinity"}) {
    TRY(add(filter, SCMP_ACT_ALLOW, own, {is(0, 0)}));
    TRY(add(filter, SCMP_ACT_ALLOW, own, {is(0, self)}));
  }
  for (int command : {F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW, F_DUPFD_CLOEXEC})
    TRY(add(filter, SCMP_ACT_ALLOW, "fcntl", {is(1, static_cast<uint64_t>(command))}));
  for (uint64_t request : {uint64_t{TCGETS}, uint64_t{TIOCGWINSZ}, uint64_t{FIONREAD}})
    TRY(add(filter, SCMP_ACT_ALLOW, "ioctl", {is(1, request)}));
  // All other calls fail like calls that the kernel does not have.
  int failed = seccomp_load(filter.get());
  if (failed) return Error{"S0001", fmt::format("seccomp accepts no filter: {}", std::strerror(-failed))};
  return {};
}

Result<CallFilter> CallFilter::make() {
  Filter filter = TRY(new_filter());
  for (const Call& call : kCalls) {
    if (std::strcmp(call.name, "mmap") == 0) {
      TRY(allow_counted_mappings(filter));
      TRY(add(filter, action_of(call.decision), call.name, {shares_memory()}));
    } else {
      TRY(add(filter, action_of(call.decision), call.name));
    }
  }
  // The library writes it to a descriptor.
  const auto failed = [](const char* what, int error) {
    return Error{"S0001", fmt::format("{}: {}", what, std::strerror(error))};
  };
  const int file = memfd_create("filter", MFD_CLOEXEC);
  if (file < 0) return failed("no memory for a seccomp filter", errno);
  const int refused = seccomp_export_bpf(filter.get(), file);
  const off_t bytes = lseek(file, 0, SEEK_END);
  CallFilter made;
  made.program_.resize(size_t(std::max<off_t>(bytes, 0)) / sizeof made.program_[0]);
  const bool read = pread(file, made.program_.data(), size_t(bytes), 0) == bytes;
  close(file);
  if (refused || bytes <= 0 || !read) return failed("seccomp makes no filter", refused ? -refused : EIO);
  return made;
}

std::string CallFilter::text() const {
  std::string text;
  for (const sock_filter& step : program_)
    fmt::format_to(std::back_inserter(text), "{:04x}{:02x}{:02x}{:08x}", step.code, step.jt, step.jf, step.k);
  return text;
}

Result<CallFilter> CallFilter::from_text(std::string_view text) {
  constexpr size_t kDigits = 16;  // of a step
  CallFilter filter;
  for (; text.size() >= kDigits; text.remove_prefix(kDigits)) {
    uint64_t step = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + kDigits, step, 16);
    if (error != std::errc() || end != text.data() + kDigits) break;
    filter.program_.push_back({static_cast<uint16_t>(step >> 48), static_cast<uint8_t>(step >> 40),
                               static_cast<uint8_t>(step >> 32), static_cast<uint32_t>(step)});
  }
  if (!text.empty() || filter.program_.empty()) return Error{"X0001", "not a filter of system calls"};
  return filter;
}

Result<int> CallFilter::load() const {
  const sock_fprog program{static_cast<unsigned short>(program_.size()), const_cast<sock_filter*>(program_.data())};
  const long fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
  if (fd < 0)
    return Error{"S0001", fmt::format("seccomp does not support user notification (Linux 5.5 has it): {}",
                                      std::strerror(errno))};
  return static_cast<int>(fd);
}

}  // namespace warpwise::lab::sandbox
