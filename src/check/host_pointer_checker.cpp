#include "check/host_pointer_checker.h"

#include <fmt/format.h>
#include <signal.h>
#include <ucontext.h>

#include <array>
#include <atomic>

#include "base/host_place.h"
#include "check/places.h"
#include "exec/memory/arena.h"

namespace warpwise::check {

namespace {

// A process has one handler per signal: this is its state. One checker for each device.
std::array<std::atomic<const HostPointerChecker*>, 64> checkers;
struct sigaction previous_action;

}  // namespace

struct HostFaultHandler {
  static void install() {
    static const bool installed = [] {
      struct sigaction ours{};
      ours.sa_sigaction = &handle;
      ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
      sigemptyset(&ours.sa_mask);
      return sigaction(SIGSEGV, &ours, &previous_action) == 0;
    }();
    (void)installed;
  }

  // The faulting instruction is the program's, on a thread that holds none of our locks.
  static void handle(int number, siginfo_t* info, void* context) {
    static std::atomic<bool> reported = false;  // the process ends here: once, even if reporting faults itself
    const auto address = reinterpret_cast<uint64_t>(info->si_addr);
    const bool by_instruction = info->si_code > 0;
    if (by_instruction && exec::Arena::in_window(address) && !reported.exchange(true)) {
      constexpr greg_t kWrite = 2;  // of a page fault's error code (Intel SDM volume 3, 4.7)
      const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
      for (const auto& slot : checkers)
        if (const HostPointerChecker* checker = slot.load(std::memory_order_acquire)) {
          checker->report(address, (registers[REG_ERR] & kWrite) != 0, static_cast<uint64_t>(registers[REG_RIP]));
          break;  // devices of one process share a sink
        }
    }
    pass_on(number, info, context);
  }

  static void pass_on(int number, siginfo_t* info, void* context) {
    if (previous_action.sa_flags & SA_SIGINFO) return previous_action.sa_sigaction(number, info, context);
    if (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN)
      return previous_action.sa_handler(number);
    // The default: the instruction faults again, without a handler. A signal that was sent is sent again.
    struct sigaction standard{};
    standard.sa_handler = SIG_DFL;
    sigaction(number, &standard, nullptr);
    if (info->si_code <= 0) raise(number);
  }
};

HostPointerChecker::~HostPointerChecker() {
  for (auto& slot : checkers) {
    const HostPointerChecker* self = this;
    if (slot.compare_exchange_strong(self, nullptr)) return;
  }
}

void HostPointerChecker::begin(exec::Arena& arena) {
  arena_ = &arena;
  HostFaultHandler::install();
  for (auto& slot : checkers) {
    const HostPointerChecker* empty = nullptr;
    if (slot.compare_exchange_strong(empty, this)) return;
  }
}

void HostPointerChecker::report(device::Address address, bool writes, uint64_t pc) const {
  MemoryPlace memory = memory_place(*arena_, address, 0, nullptr);
  const char* verb = writes ? "writes" : "reads";
  const bool inside = memory.allocated && address - memory.base < memory.size;
  Finding finding =
      make_finding("R0301", inside ? fmt::format("host code {} byte {} of {}device memory", verb, address - memory.base,
                                                 memory.freed ? "freed " : "")
                                   : fmt::format("host code {} an address of the device, in no allocation", verb));
  Party host;
  host.role = writes ? "write" : "read";
  host.detail = "the host";
  host.host = host_place_of(pc);
  if (host.host.empty()) host.host = host_place();
  finding.parties.push_back(std::move(host));
  finding.memory = std::move(memory);
  finding.notes.emplace_back("the program ended here");
  sink_.report(std::move(finding));
}

}  // namespace warpwise::check
