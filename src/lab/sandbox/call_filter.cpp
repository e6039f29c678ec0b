#include "lab/sandbox/call_filter.h"

#include <fmt/format.h>
#include <seccomp.h>

#include <cerrno>
#include <cstring>
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

// What ends a command is asked about, too: so the keeper knows its name before it ends it.
uint32_t action_of(Decision decision) {
  switch (decision) {
    case Decision::Allow: return SCMP_ACT_ALLOW;
    case Decision::Ask:
    case Decision::End: return SCMP_ACT_NOTIFY;
    case Decision::Refuse: return SCMP_ACT_ERRNO(EPERM);
  }
  return SCMP_ACT_KILL_PROCESS;
}

}  // namespace

Result<int> load_call_filter() {
  std::unique_ptr<void, void (*)(void*)> filter(seccomp_init(SCMP_ACT_ERRNO(ENOSYS)), [](void* f) { seccomp_release(f); });
  if (!filter) return Error{"S0001", "no memory for a seccomp filter"};
  // Calls of another architecture (int 0x80) have other numbers.
  seccomp_attr_set(filter.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
  seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2);  // a tree, not a list: 260 calls
  for (const Call& call : kCalls) {
    int number = seccomp_syscall_resolve_name(call.name);
    if (number < 0) continue;  // this architecture, or the library, does not have it: it stays closed
    int failed = seccomp_rule_add(filter.get(), action_of(call.decision), number, 0);
    if (failed) return Error{"S0001", fmt::format("seccomp takes no rule for {}: {}", call.name, std::strerror(-failed))};
  }
  int failed = seccomp_load(filter.get());
  if (failed) return Error{"S0001", fmt::format("seccomp takes no filter that asks (Linux 5.5 has it): {}", std::strerror(-failed))};
  int fd = seccomp_notify_fd(filter.get());
  if (fd < 0) return Error{"S0001", fmt::format("seccomp gives nobody to ask: {}", std::strerror(-fd))};
  // The library would close the descriptor with the filter; the program that we become frees both.
  (void)filter.release();
  return fd;
}

}  // namespace warpwise::lab::sandbox
