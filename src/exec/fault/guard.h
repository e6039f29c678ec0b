// Runs kernel code so that what it does wrong ends the kernel and not the process.
//
//     KernelGuard guard(code);
//     if (!guard.run(body, argument)) ... guard.signal() or guard.fault() says why
//
// Two ways out of kernel code besides returning:
//   - a signal (SIGSEGV, SIGBUS, SIGFPE, SIGILL) whose pc lies in the kernel's code, or whose address
//     lies in device memory: the handler copies the registers into the guard and makes the thread
//     continue behind run();
//   - the signal by which a watch asks a thread to leave (launch_watch.h), while pc lies in kernel code; a thread that
//     is in a service learns of it by asked_to_leave(), and the service calls leave();
//   - a service that fails calls leave().
// Neither runs destructors of the frames in between: kernel code has none, and services drop their own
// before they leave.
//
// All other signals go to the handler that was installed before ours. One of them is reported first: host code that
// accesses a device pointer (`array[i]` on what cudaMalloc returned). A reporter takes it, if there is one; else a
// message names the allocation and says what to do. Then the program ends by the same signal.
#pragma once

#include <csignal>
#include <cstdint>

#include "exec/fault/registers.h"

namespace warpwise::exec {

class Arena;
class LoadedCode;

// Asks a thread to leave kernel code; ignored everywhere else.
constexpr int kLeaveSignal = SIGURG;

struct SignalRecord {
  int number = 0;  // SIGSEGV, ...; 0: none
  int code = 0;    // si_code
  uint64_t address = 0;
  bool address_known = false;  // the processor reports none for non-canonical addresses
  Registers registers;
};

// What becomes of results below the smallest normal number (base/subnormals.h).
enum class Subnormals : uint8_t { Kept, Flushed };

class KernelGuard {
 public:
  // `code`: where kernel code lies; null when there is none (the services still may leave()).
  // A kernel may come in two versions.
  explicit KernelGuard(const LoadedCode* code, const LoadedCode* second = nullptr,
                       Subnormals subnormals = Subnormals::Kept)
      : code_(code), second_(second), subnormals_(subnormals) {}
  KernelGuard(const KernelGuard&) = delete;
  KernelGuard& operator=(const KernelGuard&) = delete;

  // False when `body` was left by a signal or by leave().
  bool run(void (*body)(void*), void* argument);
  // To be called after run() has returned false and after Fiber::left() of the fiber that was left. The frames that
  // were skipped have not removed the red zones that AddressSanitizer made in them.
  static void forget_skipped_frames();
  // From inside body, on any fiber of this host thread.
  [[noreturn]] void leave();
  // Whether a watch has asked this thread to leave while it was outside kernel code, in a service. Compiled code that
  // spends nearly all its time in services is hardly ever found in kernel code.
  bool asked_to_leave() const { return asked_to_leave_ != 0; }

  const SignalRecord& signal() const { return signal_; }

 private:
  friend struct GuardHandler;
  [[noreturn]] static void unwind(KernelGuard* guard);

  const LoadedCode *code_, *second_;
  const Subnormals subnormals_;
  KernelGuard* outer_ = nullptr;
  void* jump_[5] = {};
  uint64_t stack_ = 0;
  SignalRecord signal_;
  volatile std::sig_atomic_t asked_to_leave_ = 0;
};

// Installs the handlers for this process (again, where they have been replaced), and an alternate
// signal stack for the calling thread. Cheap when all is in place.
void enter_fault_handling();
// Host faults at addresses of this arena are explained, until forget_arena.
void watch_arena(const Arena* arena);
void forget_arena(const Arena* arena);

// Takes host faults in device memory instead of the message; null: nothing does. It is called on the thread that
// faulted, inside the signal handler: `pc` is the instruction, which the processor could not execute. Called at most
// once in a process, which ends behind it.
using HostFaultReporter = void (*)(uint64_t address, bool writes, uint64_t pc);
void set_host_fault_reporter(HostFaultReporter reporter);

}  // namespace warpwise::exec
