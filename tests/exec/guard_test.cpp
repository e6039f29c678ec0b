// Faults of kernel code end the kernel and not the process (exec/fault/guard.h).
#include "exec/fault/guard.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <thread>

#include "exec/loading/loader.h"
#include "exec/memory/arena.h"
#include "kernels.h"
#include "simt/abi.h"

namespace warpwise::exec {
namespace {

bool run(KernelGuard& guard, std::function<void()> body) {
  return guard.run([](void* f) { (*static_cast<std::function<void()>*>(f))(); }, &body);
}

// The host writes where nothing is mapped.
__attribute__((noinline)) void touch(uint64_t address) {
  asm volatile("" : "+r"(address));
  *reinterpret_cast<volatile int*>(address) = 1;
}

// Dies as it would without us. AddressSanitizer's handler was there before ours: it reports and exits.
bool dies_by_segv(int status) {
#if defined(__SANITIZE_ADDRESS__)
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0) return true;
#endif
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
}

class Guard : public testing::Test {
 protected:
  void SetUp() override { enter_fault_handling(); }

  // Runs wild_kernel, which writes to `address`.
  bool write_to(KernelGuard& guard, uint64_t address) {
    simt::BlockContext block{};
    block.ctaid[0] = 1;
    block.parameters = reinterpret_cast<uint64_t>(&address);
    auto kernel = reinterpret_cast<simt::KernelEntry>(const_cast<void*>(code_.symbol("wild_kernel")));
    return run(guard, [&] { kernel(&block); });
  }

  LoadedCode code_ = LoadedCode::load(kernels_object()).value();
};

TEST_F(Guard, returns_when_all_is_well) {
  KernelGuard guard(&code_);
  int ran = 0;
  EXPECT_TRUE(run(guard, [&] { ran = 1; }));
  EXPECT_EQ(ran, 1);
  EXPECT_EQ(guard.signal().number, 0);
}

TEST_F(Guard, survives_a_wild_store_again_and_again) {
  for (int round = 0; round < 100; ++round) {
    KernelGuard guard(&code_);
    ASSERT_FALSE(write_to(guard, 0x2abc'0000'1000));
    EXPECT_EQ(guard.signal().number, SIGSEGV);
    EXPECT_TRUE(guard.signal().address_known);
    EXPECT_EQ(guard.signal().address, 0x2abc'0000'1000 + simt::kAliasOffset);
    EXPECT_TRUE(code_.contains(guard.signal().registers.rip));
  }
}

TEST_F(Guard, survives_a_kernel_that_follows_a_host_pointer) {
  KernelGuard guard(&code_);
  int mine = 0;
  ASSERT_FALSE(write_to(guard, reinterpret_cast<uint64_t>(&mine)));
  EXPECT_EQ(guard.signal().number, SIGSEGV);
  EXPECT_FALSE(guard.signal().address_known);  // non-canonical
  EXPECT_EQ(mine, 0);
}

TEST_F(Guard, works_on_any_thread) {
  std::thread([&] {
    enter_fault_handling();
    KernelGuard guard(&code_);
    EXPECT_FALSE(write_to(guard, 0));
  }).join();
}

TEST_F(Guard, is_left_on_request) {
  KernelGuard guard(&code_);
  EXPECT_FALSE(run(guard, [&] { guard.leave(); }));
  EXPECT_EQ(guard.signal().number, 0);
}

TEST_F(Guard, does_not_swallow_faults_of_the_host) {
  EXPECT_EXIT(
      {
        KernelGuard guard(&code_);
        run(guard, [] { touch(8); });
      },
      dies_by_segv, "");
}

TEST_F(Guard, explains_a_host_that_touches_device_memory) {
  Arena arena(1 << 30);
  auto address = arena.allocate(1000, device::MemoryKind::Device).value();
  watch_arena(&arena);
  EXPECT_EXIT(*reinterpret_cast<volatile int*>(address + 40) = 1, dies_by_segv,
              "R0301.*byte 40 of a 1000-byte device allocation.*\n.*cudaMemcpy");
  EXPECT_EXIT(*reinterpret_cast<volatile int*>(address + 1004) = 1, dies_by_segv, "4 bytes past the end");
  arena.free(address);
  EXPECT_EXIT(*reinterpret_cast<volatile int*>(address) = 1, dies_by_segv, "was freed");
  forget_arena(&arena);
}

// What a reporter gets is not explained as well.
TEST_F(Guard, leaves_a_host_that_touches_device_memory_to_the_reporter) {
  Arena arena(1 << 30);
  static uint64_t touched = 0;
  touched = arena.allocate(1000, device::MemoryKind::Device).value() + 40;
  watch_arena(&arena);
  set_host_fault_reporter([](uint64_t address, bool writes, uint64_t pc) {
    if (address == touched && writes && pc != 0) static_cast<void>(write(STDERR_FILENO, "taken\n", 6));
  });
  // The whole of what is printed.
  EXPECT_EXIT(*reinterpret_cast<volatile int*>(touched) = 1, dies_by_segv, "^taken\n$");
  set_host_fault_reporter(nullptr);
  EXPECT_EXIT(*reinterpret_cast<volatile int*>(touched) = 1, dies_by_segv, "R0301");
  forget_arena(&arena);
}

// The watch's signal finds the thread in a service: the handler takes note, and the service leaves.
TEST_F(Guard, notes_that_it_is_asked_to_leave_while_it_runs_a_service) {
  KernelGuard guard(&code_);
  bool before = true, after = false;
  EXPECT_FALSE(run(guard, [&] {
    before = guard.asked_to_leave();
    raise(kLeaveSignal);
    after = guard.asked_to_leave();
    guard.leave();
  }));
  EXPECT_FALSE(before);
  EXPECT_TRUE(after);
  EXPECT_TRUE(run(guard, [&] { EXPECT_FALSE(guard.asked_to_leave()) << "of an earlier run"; }));
}

TEST_F(Guard, calls_the_handler_that_was_there_before) {
  EXPECT_EXIT(
      {
        struct sigaction theirs{};
        theirs.sa_handler = [](int) { _exit(7); };
        sigaction(SIGSEGV, &theirs, nullptr);
        enter_fault_handling();
        touch(8);
      },
      testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace warpwise::exec
