#include "check/still_running.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>

#include "base/demangled.h"
#include "check/source/places.h"
#include "exec/launch/block_run.h"

namespace warpwise::check {

namespace {

constexpr std::chrono::seconds kFirstLine{10};
// A thread that the checkers have taken far from the kernel's code is asked again.
constexpr int kQuestions = 50;
constexpr std::chrono::milliseconds kBetweenQuestions{4};
// The kernel's return address lies so many words above the stack pointer of what it called, at most.
constexpr size_t kStackWords = 1024;

// A realtime signal: of those without a meaning of their own the C library keeps the lowest, programs use the next.
int question() { return SIGRTMAX - 5; }

std::atomic<uint64_t> stack_pointer, answer;  // the answer comes second

void answer_question(int, siginfo_t*, void* context) {
  const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  stack_pointer.store(static_cast<uint64_t>(registers[REG_RSP]), std::memory_order_relaxed);
  answer.store(static_cast<uint64_t>(registers[REG_RIP]), std::memory_order_release);
}

// What lies at the top of a stack that is in use, and may end anywhere: read by the system, which does not fault.
size_t read_stack(uint64_t from, std::array<uint64_t, kStackWords>& words) {
  // A page at a time: what can be read of a piece is all of it or nothing.
  size_t done = 0;
  while (done < words.size()) {
    const uint64_t at = from + done * 8, page_end = (at | 4095) + 1;
    const size_t bytes = std::min<size_t>(page_end - at, (words.size() - done) * 8) / 8 * 8;
    iovec to{words.data() + done, bytes}, source{reinterpret_cast<void*>(at), bytes};
    if (bytes == 0 || process_vm_readv(getpid(), &to, 1, &source, 1, 0) != ssize_t(bytes)) break;
    done += bytes / 8;
  }
  return done;
}

// False where the program uses the signal itself.
bool install_answer() {
  static const bool installed = [] {
    struct sigaction now{};
    if (sigaction(question(), nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) || now.sa_handler != SIG_DFL)
      return false;
    struct sigaction ours{};
    ours.sa_sigaction = &answer_question;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&ours.sa_mask);
    return sigaction(question(), &ours, nullptr) == 0;
  }();
  return installed;
}

// Where in the kernel's code the thread is, or what the kernel called; null when neither was found.
const simt::Site* ask_for_site(pthread_t runner, const exec::LoadedKernel& kernel) {
  if (!install_answer()) return nullptr;
  for (int i = 0; i < kQuestions; ++i) {
    answer.store(0, std::memory_order_release);
    if (pthread_kill(runner, question()) != 0) return nullptr;
    std::this_thread::sleep_for(kBetweenQuestions);
    const uint64_t pc = answer.load(std::memory_order_acquire);
    if (pc == 0) continue;
    if (const simt::Site* site = kernel.site_at(pc)) return site;
    std::array<uint64_t, kStackWords> words;
    const size_t count = read_stack(stack_pointer.load(std::memory_order_relaxed) / 8 * 8, words);
    for (size_t n = 0; n < count; ++n)
      if (kernel.code().contains(words[n]))
        if (const simt::Site* site = kernel.site_at(words[n])) return site;
  }
  return nullptr;
}

}  // namespace

bool StillRunning::is_of_use() { return isatty(STDERR_FILENO) == 1; }

StillRunning::~StillRunning() {
  {
    std::lock_guard lock(mutex_);
    quit_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void StillRunning::launch_begins(const exec::KernelLaunch& launch) {
  std::lock_guard lock(mutex_);
  launch_ = &launch;
  kernel_ = nullptr;
  begin_ = Clock::now();
  next_ = kFirstLine;
  if (!thread_.joinable()) thread_ = std::thread([this] { wait_and_report(); });
}

// Waits for a line that is being written: the launch is there until it is.
void StillRunning::launch_ends(const exec::KernelLaunch&) {
  std::lock_guard lock(mutex_);
  launch_ = nullptr;
  kernel_ = nullptr;
}

void StillRunning::block_begins(exec::BlockRun& run) {
  std::lock_guard lock(mutex_);
  kernel_ = &run.launch.kernel;
  runner_ = pthread_self();
}

void StillRunning::wait_and_report() {
  sigset_t all;  // the program's signals are for its own threads
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  std::unique_lock lock(mutex_);
  while (!quit_) {
    wake_.wait_for(lock, std::chrono::seconds(1), [&] { return quit_; });
    if (quit_ || !launch_ || Clock::now() - begin_ < next_) continue;
    report(next_);
    next_ *= 2;
  }
}

void StillRunning::report(std::chrono::seconds since) const {
  std::string place;
  if (const simt::Site* site = kernel_ ? ask_for_site(runner_, *kernel_) : nullptr) {
    const CodePlace code =
        code_place(*launch_->image->module, site->function, site->instruction, kernel_->calls_around(site->call));
    if (!code.frames.empty()) place = fmt::format(", {}:{}", code.frames[0].file, code.frames[0].line);
  }
  fmt::print(stderr, "warpwise: still in kernel `{}`{}, after {} s\n", demangled(launch_->image->function().name),
             place, since.count());
}

}  // namespace warpwise::check
