#include "exec/fault/guard.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <xmmintrin.h>

#include <array>
#include <atomic>
#include <cstring>
#include <mutex>

#include "exec/loading/loader.h"
#include "exec/memory/arena.h"
#include "exec/memory/host_pages.h"
#include "exec/memory/moving_pages.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

namespace warpwise::exec {
namespace {

// The state of a process's signal handlers is global by nature; this is all of it.
constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, kLeaveSignal};
struct sigaction previous_actions[65];
std::atomic<const Arena*> guarded_arenas[64];
std::atomic<HostFaultReporter> host_fault_reporter = nullptr;

// Read by the handler, so it may not be allocated lazily: initial-exec.
__attribute__((tls_model("initial-exec"))) thread_local KernelGuard* current_guard = nullptr;

constexpr uint32_t kDefaultMxcsr = 0x1f80;  // round to nearest, all exceptions masked, denormals kept

// Whether kernel code could have meant this address: the engine's view of the arena.
bool in_engine_view(uint64_t address) { return Arena::in_window(address - simt::kAliasOffset); }

// "nearest allocation" words into a buffer, without allocating.
void explain_host_access(uint64_t address) {
  for (const auto& slot : guarded_arenas) {
    const Arena* arena = slot.load(std::memory_order_acquire);
    if (!arena || !Arena::in_window(address)) continue;
    std::array<char, 1024> text;
    char* end = text.data();
    auto put = [&]<class... Arguments>(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
      end = fmt::format_to_n(end, text.data() + text.size() - end, format, std::forward<Arguments>(arguments)...).out;
    };
    put("warpwise: error[R0301]: host code touches device memory: address {:#x} ", address);
    if (auto region = arena->find(address)) {
      put("is byte {} of a {}-byte device allocation at {:#x}", address - region->base, region->size, region->base);
    } else if (auto grave = arena->freed(address)) {
      put("is byte {} of a {}-byte device allocation at {:#x} that was freed", address - grave->base, grave->size,
          grave->base);
    } else if (auto near = arena->nearest(address)) {
      if (near->base > address)
        put("is {} bytes before", near->base - address);
      else
        put("is {} bytes past the end of", address - near->base - near->size);
      put(" a {}-byte device allocation at {:#x}", near->size, near->base);
    } else {
      put("is in the device's range, but in no allocation");
    }
    put("\n  = help: the CPU cannot follow device pointers: copy the data with cudaMemcpy, or allocate it with "
        "cudaMallocManaged\n");
    [[maybe_unused]] ssize_t ignored = write(STDERR_FILENO, text.data(), end - text.data());
    return;
  }
}

void report_host_access(uint64_t address, bool writes, uint64_t pc) {
  static std::atomic<bool> reported = false;  // once, even if the reporter faults itself
  const HostFaultReporter reporter = host_fault_reporter.load(std::memory_order_acquire);
  if (!reporter) return explain_host_access(address);
  if (!reported.exchange(true)) reporter(address, writes, pc);
}

// Whether the page was closed to the host for a while (memory/host_pages.h), and is open now.
bool open_for_host(uint64_t address, bool writes, uint64_t pc) {
  for (const auto& slot : guarded_arenas) {
    const Arena* arena = slot.load(std::memory_order_acquire);
    if (arena && arena->host_pages() && arena->host_pages()->open(address, writes, pc)) return true;
  }
  return false;
}

// Gives every thread that runs kernels a stack for signals, so that a stack overflow can be handled.
class SignalStack {
 public:
  SignalStack() {
    stack_t old{};
    if (sigaltstack(nullptr, &old) == 0 && !(old.ss_flags & SS_DISABLE)) return;  // it has one already
    memory_ = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) {
      memory_ = nullptr;
      return;
    }
    stack_t stack{};
    stack.ss_sp = memory_;
    stack.ss_size = kBytes;
    sigaltstack(&stack, nullptr);
  }
  ~SignalStack() {
    if (!memory_) return;
    stack_t off{};
    off.ss_flags = SS_DISABLE;
    sigaltstack(&off, nullptr);
    munmap(memory_, kBytes);
  }

 private:
  static constexpr size_t kBytes = size_t{64} << 10;  // an AVX-512 frame alone is 3 KiB
  void* memory_ = nullptr;
};

}  // namespace

struct GuardHandler {
  static void handle(int number, siginfo_t* info, void* context) {
    ucontext_t* user = static_cast<ucontext_t*>(context);
    uint64_t address = reinterpret_cast<uint64_t>(info->si_addr);
    // si_code > 0: from the kernel because of an instruction, not from kill().
    bool caused = info->si_code > 0;
    KernelGuard* guard = current_guard;
    // This is for every write there, by compiled code to its context, too.
    if (number == SIGSEGV && caused && is_moving(address)) return;
    const bool asked_to_leave = number == kLeaveSignal && !caused;
    if (guard && (caused || asked_to_leave)) {
      uint64_t pc = static_cast<uint64_t>(user->uc_mcontext.gregs[REG_RIP]);
      bool memory_fault = number == SIGSEGV || number == SIGBUS;
      if ((guard->code_ && guard->code_->contains(pc)) || (guard->second_ && guard->second_->contains(pc)) ||
          (memory_fault && in_engine_view(address))) {
        SignalRecord& record = guard->signal_;
        record.number = number;
        record.code = info->si_code;
        record.address = address;
        record.address_known = memory_fault && info->si_code != SI_KERNEL;
        record.registers.capture(context);
        // Continue in unwind(guard), below the frame of run(): what lies there is the kernel's.
        auto& registers = user->uc_mcontext.gregs;
        registers[REG_RIP] = reinterpret_cast<greg_t>(&KernelGuard::unwind);
        registers[REG_RDI] = reinterpret_cast<greg_t>(guard);
        registers[REG_RSP] = static_cast<greg_t>(((guard->stack_ - 512) & ~uint64_t{15}) - 8);
        registers[REG_EFL] &= ~static_cast<greg_t>(0x40400);  // direction and alignment-check flags
        return;
      }
    }
    if (asked_to_leave && guard) {  // in a service, which asks on its way back
      guard->asked_to_leave_ = 1;
      return;
    }
    if (number == SIGSEGV && caused) {
      constexpr greg_t kWrite = 2;  // of a page fault's error code (Intel SDM volume 3, 4.7)
      const bool writes = (user->uc_mcontext.gregs[REG_ERR] & kWrite) != 0;
      const auto pc = static_cast<uint64_t>(user->uc_mcontext.gregs[REG_RIP]);
      if (open_for_host(address, writes, pc)) return;
      if (Arena::in_window(address)) report_host_access(address, writes, pc);
    }
    pass_on(number, info, context);
  }

  static void pass_on(int number, siginfo_t* info, void* context) {
    const struct sigaction& previous = previous_actions[number];
    if (previous.sa_flags & SA_SIGINFO) return previous.sa_sigaction(number, info, context);
    if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) return previous.sa_handler(number);
    if (number == kLeaveSignal) return;  // ignored by default
    // The default: fault again without us (or, for a signal that was sent, send it again).
    struct sigaction standard{};
    standard.sa_handler = SIG_DFL;
    sigaction(number, &standard, nullptr);
    if (info->si_code <= 0) raise(number);
  }
};

bool KernelGuard::run(void (*body)(void*), void* argument) {
  unsigned mxcsr = _mm_getcsr();
  outer_ = current_guard;
  signal_.number = 0;
  asked_to_leave_ = 0;
  bool returned = false;
  if (__builtin_setjmp(jump_) == 0) {
    asm volatile("mov %%rsp, %0" : "=m"(stack_));
    current_guard = this;
    _mm_setcsr(kDefaultMxcsr | (subnormals_ == Subnormals::Flushed ? _MM_FLUSH_ZERO_ON : 0));
    body(argument);
    returned = true;
  }
  current_guard = outer_;
  // The exception flags are sticky bits of the kernel's arithmetic; the caller's come back.
  _mm_setcsr(mxcsr);
  return returned;
}

void KernelGuard::leave() { unwind(this); }

// Comes from a fault on any fiber, but on the stack of run(): AddressSanitizer, which is informed of that later
// (Fiber::left), must not search for this function's frame.
[[gnu::no_sanitize_address]] void KernelGuard::unwind(KernelGuard* guard) { __builtin_longjmp(guard->jump_, 1); }

void KernelGuard::forget_skipped_frames() {
#ifdef __SANITIZE_ADDRESS__
  __asan_handle_no_return();
#endif
}

void enter_fault_handling() {
  static std::mutex mutex;
  static thread_local SignalStack stack;
  (void)stack;
  for (int number : kSignals) {
    struct sigaction now{};
    sigaction(number, nullptr, &now);
    if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == &GuardHandler::handle) continue;
    std::lock_guard lock(mutex);
    struct sigaction ours{};
    ours.sa_sigaction = &GuardHandler::handle;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&ours.sa_mask);
    previous_actions[number] = now;
    sigaction(number, &ours, nullptr);
  }
}

void watch_arena(const Arena* arena) {
  for (auto& slot : guarded_arenas) {
    const Arena* empty = nullptr;
    if (slot.compare_exchange_strong(empty, arena)) return;
  }
}

void forget_arena(const Arena* arena) {
  for (auto& slot : guarded_arenas) {
    const Arena* same = arena;
    if (slot.compare_exchange_strong(same, nullptr)) return;
  }
}

void set_host_fault_reporter(HostFaultReporter reporter) {
  host_fault_reporter.store(reporter, std::memory_order_release);
}

}  // namespace warpwise::exec
