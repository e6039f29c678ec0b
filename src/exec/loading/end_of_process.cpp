#include "exec/loading/end_of_process.h"

#include <link.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

#include "exec/fault/guard.h"

namespace warpwise::exec {
namespace {

struct Range {
  uint64_t begin, end;
};

// A thread that opens the compiler or is in it. Entries are never deleted: the handler uses them.
struct Inhabitant {
  pid_t thread;
  bool opening = true;
  std::atomic<bool> stopped{false};
};

struct Compilers {
  std::mutex mutex;
  std::vector<Inhabitant*> threads;
  unsigned ends = 0;        // of the process
  std::vector<Range> code;  // of the compiler: set before the first signal is sent
};
// Never destroyed: threads may leave the compiler while the process ends.
Compilers& compilers() {
  static auto* all = new Compilers;
  return *all;
}

thread_local Inhabitant* self = nullptr;

// The signal handler.
void stop(int, siginfo_t*, void* context) {
  const auto pc = static_cast<uint64_t>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
  const auto& code = compilers().code;
  if (!self || std::none_of(code.begin(), code.end(), [&](Range r) { return pc >= r.begin && pc < r.end; })) return;
  self->stopped.store(true);
  for (;;) pause();
}

int add_code(dl_phdr_info* object, size_t, void* list) {
  const std::string_view path = object->dlpi_name, name = path.substr(path.rfind('/') + 1);
  if (!name.starts_with("libLLVM") && !name.starts_with("libwarpwise-simt")) return 0;
  for (int k = 0; k < object->dlpi_phnum; ++k) {
    const auto& segment = object->dlpi_phdr[k];
    if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X)) continue;
    const uint64_t begin = object->dlpi_addr + segment.p_vaddr;
    static_cast<std::vector<Range>*>(list)->push_back({begin, begin + segment.p_memsz});
  }
  return 0;
}

// A thread that has gone, as all but one have in a child of the process, counts as stopped, and as one that has opened.
bool is_opening(const Inhabitant* inhabitant) {
  return inhabitant->opening && syscall(SYS_tgkill, getpid(), inhabitant->thread, 0) == 0;
}
bool ask_to_stop(const Inhabitant* inhabitant) {
  return inhabitant->stopped || syscall(SYS_tgkill, getpid(), inhabitant->thread, kLeaveSignal) != 0;
}

// One turn of stop_all().
bool have_all_stopped(Compilers& all) {
  if (std::ranges::any_of(all.threads, is_opening)) return false;
  if (all.code.empty()) dl_iterate_phdr(add_code, &all.code);
  bool stopped = true;
  for (const Inhabitant* inhabitant : all.threads) stopped &= ask_to_stop(inhabitant);
  return stopped;
}

void stop_all() {
  using namespace std::chrono_literals;
  Compilers& all = compilers();
  std::unique_lock lock(all.mutex);
  ++all.ends;
  if (all.threads.empty()) return;
  struct sigaction action{};
  action.sa_sigaction = stop;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(kLeaveSignal, &action, nullptr);
  const auto patience = std::chrono::steady_clock::now() + 2s;
  while (!have_all_stopped(all) && std::chrono::steady_clock::now() < patience) {
    // A thread that leaves the compiler by itself meanwhile needs the lock.
    lock.unlock();
    std::this_thread::sleep_for(50us);
    lock.lock();
  }
}

// exit() destroys the variables of the thread that calls it before all others. Threads other than the main one end
// without ending the process.
struct StopsAtExit {
  ~StopsAtExit() {
    if (getpid() == static_cast<pid_t>(syscall(SYS_gettid))) stop_all();
  }
};

}  // namespace

void stop_compilers_at_exit() { static thread_local StopsAtExit stops; }

unsigned ends_of_process() {
  Compilers& all = compilers();
  std::lock_guard lock(all.mutex);
  return all.ends;
}

InCompiler::InCompiler(unsigned begun_after) {
  Compilers& all = compilers();
  std::lock_guard lock(all.mutex);
  may_go_on_ = all.ends == begun_after;
  if (may_go_on_) self = all.threads.emplace_back(new Inhabitant{static_cast<pid_t>(syscall(SYS_gettid))});
}

void InCompiler::has_opened() {
  // For a process that another thread ends. LLVM's own objects were registered before this.
  static std::once_flag once;
  std::call_once(once, [] { std::atexit(stop_all); });
  std::lock_guard lock(compilers().mutex);
  self->opening = false;
}

InCompiler::~InCompiler() {
  Compilers& all = compilers();
  std::lock_guard lock(all.mutex);
  std::erase(all.threads, self);
  self = nullptr;
}

}  // namespace warpwise::exec
