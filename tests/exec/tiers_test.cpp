// Kernels that begin in the interpreter while they are compiled (exec/tiers): with the real compiler behind a gate that
// the test opens.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "../simt/large_kernels.h"
#include "base/sanitized.h"
#include "exec/interpreter/undo_log.h"
#include "exec/virtual_device.h"

namespace warpwise::exec {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using device::Address;
using device::Failure;
using device::Status;

// The compiler, which begins when the gate opens; or one that fails.
class GatedCompiler : public simt::Compiler {
 public:
  Result<simt::CompiledKernel> compile(const ptx::Module& module, uint32_t kernel,
                                       const simt::CompileOptions& options) override {
    ++asked;
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [&] { return open_ || (quick_passes && options.tier == simt::Tier::Quick); });
    lock.unlock();
    auto made = error.code.empty() ? compiler_plugin("").open().value()->compile(module, kernel, options) : error;
    ++answered;
    return made;
  }
  std::string fingerprint(const simt::CompileOptions&) const override { return "gated"; }

  void open() {
    std::lock_guard lock(mutex_);
    open_ = true;
    opened_.notify_all();
  }
  // Compilations outlive the engine that has begun them, but not the compiler.
  void close() {
    open();
    while (answered != asked) std::this_thread::sleep_for(1ms);
  }
  std::atomic<int> asked = 0, answered = 0;
  Error error;
  bool quick_passes = false;  // the gate is for optimised code alone

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool open_ = false;
};

constexpr const char* kKernels = R"(
.version 8.5
.target sm_90
.address_size 64
// Each thread stores its number.
.visible .entry numbers(.param .u64 out) {
  .reg .b64 %out, %at; .reg .b32 %t, %b, %n;
  ld.param.u64 %out, [out];
  mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; mov.u32 %n, %ntid.x; mad.lo.u32 %t, %b, %n, %t;
  mul.wide.u32 %at, %t, 4; add.u64 %at, %out, %at; st.global.u32 [%at], %t;
  ret;
}
// Each thread counts itself, doubles its own word, and then takes long.
.visible .entry once(.param .u64 out, .param .u32 rounds) {
  .reg .b64 %out, %at; .reg .b32 %t, %b, %n, %k; .reg .pred %p;
  ld.param.u64 %out, [out]; ld.param.u32 %n, [rounds];
  red.global.add.u32 [%out], 1;
  mov.u32 %t, %tid.x; mul.wide.u32 %at, %t, 4; add.u64 %at, %out, %at;
  ld.global.u32 %b, [%at+4]; shl.b32 %b, %b, 1; st.global.u32 [%at+4], %b;
  mov.u32 %k, 0;
next:
  add.u32 %k, %k, 1; xor.b32 %b, %b, %k; setp.lt.u32 %p, %k, %n; @%p bra next;
  st.global.u32 [%out+4096], %b;
  ret;
}
// Threads take tickets.
.visible .entry tickets(.param .u64 out) {
  .reg .b64 %out, %at; .reg .b32 %t;
  ld.param.u64 %out, [out];
  atom.global.add.u32 %t, [%out], 1; mul.wide.u32 %at, %t, 4; add.u64 %at, %out, %at; st.global.u32 [%at+4], %t;
  ret;
}
// Block 1 stores where no memory is.
.visible .entry wild(.param .u64 out) {
  .reg .b64 %out, %at; .reg .b32 %b;
  ld.param.u64 %out, [out];
  mov.u32 %b, %ctaid.x; mul.wide.u32 %at, %b, 1073741824; add.u64 %at, %out, %at; st.global.u32 [%at], 1;
  ret;
}
)";

class Tiers : public testing::Test {
 protected:
  ~Tiers() override {
    device_.reset();
    compiler_.close();
  }

  void open(TierChoice tiers = TierChoice::Automatic, double timeout_seconds = 0, bool quick = true) {
    DeviceSetup setup;
    setup.options.tiers = tiers;
    setup.options.timeout_seconds = timeout_seconds;
    if (quick) setup.options.only_tier = OnlyTier::Quick;
    setup.compiler = CompilerSource{[this]() -> Result<simt::Compiler*> { return &compiler_; }, "gated"};
    device_ = VirtualDevice::create(std::move(setup)).value();
    ASSERT_TRUE(device_->load_module(kKernels, "tiers.ptx", &module_).ok());
    ASSERT_TRUE(device_->allocate(1 << 20, device::MemoryKind::Managed, &out_).ok());
    std::memset(engine_view(out_), 0, 1 << 20);
  }

  device::Launch launch(const char* name, uint32_t blocks, uint32_t threads, uint32_t number = 0) {
    device::Launch launch;
    EXPECT_TRUE(device_->find_kernel(module_, name, &launch.kernel).ok());
    launch.grid = {blocks};
    launch.block = {threads};
    launch.parameters.resize(device_->kernel_info(launch.kernel).parameter_bytes);
    std::memcpy(launch.parameters.data(), &out_, sizeof out_);
    if (launch.parameters.size() > sizeof out_) std::memcpy(launch.parameters.data() + sizeof out_, &number, 4);
    return launch;
  }
  Status run(const device::Launch& launch) {
    if (Status status = device_->submit(0, launch); !status.ok()) return status;
    return device_->wait(0);
  }
  const uint32_t* words() const { return reinterpret_cast<const uint32_t*>(engine_view(out_)); }
  uint32_t* words() { return reinterpret_cast<uint32_t*>(engine_view(out_)); }

  GatedCompiler compiler_;
  std::unique_ptr<VirtualDevice> device_;
  device::ModuleId module_ = 0;
  Address out_ = 0;
};

TEST_F(Tiers, a_kernel_runs_before_it_is_compiled) {
  open();
  ASSERT_TRUE(run(launch("numbers", 20, 96)).ok());
  for (uint32_t k = 0; k < 20 * 96; ++k) ASSERT_EQ(words()[k], k);
  EXPECT_EQ(compiler_.asked, 1);
}

// Interpreted, the block would take hours. It has stored and counted before compiled code takes over: once.
TEST_F(Tiers, a_block_that_the_compiler_interrupts_is_undone) {
  open();
  for (uint32_t k = 1; k <= 96; ++k) words()[k] = k;
  std::thread opens([this] {
    for (const auto patience = Clock::now() + 10s; Clock::now() < patience && words()[1] != 2;)
      std::this_thread::sleep_for(1ms);
    compiler_.open();
  });
  const Status status = run(launch("once", 1, 96, 50'000'000));
  opens.join();
  ASSERT_TRUE(status.ok()) << status.detail;
  EXPECT_EQ(words()[0], 96u);
  for (uint32_t k = 1; k <= 96; ++k) ASSERT_EQ(words()[k], 2 * k);
}

TEST_F(Tiers, order_sensitive_kernels_wait) {
  open();
  std::atomic<bool> done = false;
  std::thread runs([&] {
    EXPECT_TRUE(run(launch("tickets", 4, 64)).ok());
    done = true;
  });
  std::this_thread::sleep_for(200ms);
  EXPECT_FALSE(done);
  EXPECT_EQ(words()[0], 0u);
  compiler_.open();
  runs.join();
  EXPECT_EQ(words()[0], 256u);
}

// A launch that must wait does so for the tier that is there first; later ones have optimised code.
TEST_F(Tiers, large_kernels_begin_in_the_quick_tier) {
  compiler_.quick_passes = true;
  open(TierChoice::Automatic, 0, /*quick=*/false);
  std::string text = kKernels;
  for (int k = 0; k < 1500; ++k) text.insert(text.find("atom.global.add.u32 %t"), "add.u32 %t, %t, 1; ");
  ASSERT_TRUE(device_->load_module(text, "large.ptx", &module_).ok());
  ASSERT_TRUE(run(launch("tickets", 4, 64)).ok());
  EXPECT_EQ(words()[0], 256u);
  EXPECT_EQ(compiler_.asked, 1) << "optimised code is not worth it yet";
  const auto runs_right = [&] {
    words()[0] = 0;
    return run(launch("tickets", 2048, 64)).ok() && words()[0] == 2048 * 64;
  };
  while (compiler_.asked < 2) ASSERT_TRUE(runs_right());
  compiler_.open();
  // Also the launch that runs meanwhile goes over, at a block's border.
  while (compiler_.answered < 2) ASSERT_TRUE(runs_right());
  EXPECT_TRUE(runs_right());
  EXPECT_EQ(compiler_.asked, 2) << "quick and optimised, once each";
}

TEST_F(Tiers, compiled_alone_waits) {
  open(TierChoice::Compiled);
  std::thread opens([this] {
    std::this_thread::sleep_for(200ms);
    EXPECT_EQ(words()[1], 0u);
    compiler_.open();
  });
  EXPECT_TRUE(run(launch("numbers", 2, 32)).ok());
  opens.join();
  EXPECT_EQ(words()[63], 63u);
}

TEST_F(Tiers, takeover_changes_in_mid_grid) {
  open(TierChoice::Takeover);
  compiler_.open();
  ASSERT_TRUE(run(launch("numbers", 21, 96)).ok());
  for (uint32_t k = 0; k < 21 * 96; ++k) ASSERT_EQ(words()[k], k);
  ASSERT_TRUE(run(launch("once", 3, 64, 1000)).ok());
  EXPECT_EQ(words()[0], 3 * 64u);
}

// Reports do not depend on the tier.
TEST_F(Tiers, mistakes_are_reported_by_compiled_code) {
  std::vector<std::string> reports;
  for (TierChoice tiers : {TierChoice::Compiled, TierChoice::Takeover}) {
    open(tiers);
    compiler_.open();
    const Status status = run(launch("wild", 4, 32));
    EXPECT_EQ(status.failure, Failure::IllegalAddress);
    reports.push_back(status.detail);
  }
  EXPECT_EQ(reports[0], reports[1]);
  EXPECT_NE(reports[0].find("block (1,0,0)"), std::string::npos) << reports[0];
}

TEST_F(Tiers, what_cannot_be_compiled_is_interpreted_and_said) {
  compiler_.error = {"X0002", "LLVM cannot compile it: Cannot select: X"};
  open();
  compiler_.open();
  testing::internal::CaptureStderr();
  for (int k = 0; k < 3; ++k) {
    std::memset(words(), 0, 4096);
    EXPECT_TRUE(run(launch("numbers", 4, 64)).ok());
    for (uint32_t n = 0; n < 256; ++n) ASSERT_EQ(words()[n], n);
  }
  const std::string said = testing::internal::GetCapturedStderr();
  const std::string expected =
      "warpwise: `numbers` runs in the interpreter, which is much slower: X0002: LLVM cannot compile it: Cannot "
      "select: "
      "X\n";
  EXPECT_NE(said.find(expected), std::string::npos) << said;
  EXPECT_EQ(said.find(expected, said.find(expected) + 1), std::string::npos) << "once";
}

TEST_F(Tiers, other_errors_of_the_compiler_are_failures_of_the_launch) {
  compiler_.error = {"P0900", "`x` is not executed yet"};
  open();
  compiler_.open();
  const Status status = run(launch("numbers", 1, 32));
  EXPECT_EQ(status.failure, Failure::NotSupported);
}

TEST_F(Tiers, time_is_up_before_the_compiler_ends) {
  open(TierChoice::Automatic, 0.3);
  const Status status = run(launch("once", 2, 32, 2'000'000'000));
  EXPECT_EQ(status.failure, Failure::LaunchTimeout);
  EXPECT_EQ(status.detail.find("the kernel did not end within 0.3 s: kernel `once`, block (0,0,0)"), 0u)
      << status.detail;
  EXPECT_EQ(words()[0], 0u) << "undone";
}

TEST_F(Tiers, a_module_goes_while_its_kernel_is_compiled) {
  open();
  ASSERT_TRUE(run(launch("numbers", 2, 32)).ok());
  ASSERT_TRUE(device_->unload_module(module_).ok());
  ASSERT_TRUE(device_->load_module(kKernels, "tiers.ptx", &module_).ok());
  ASSERT_TRUE(run(launch("once", 2, 32, 10)).ok());
  compiler_.open();
  ASSERT_TRUE(run(launch("once", 2, 32, 10)).ok());
  EXPECT_EQ(words()[0], 2 * 64u);
}

// Runs a kernel whose compilation takes LLVM seconds, and ends the process meanwhile.
[[noreturn]] void run_and_exit() {
  auto device = VirtualDevice::create({}).value();
  device::ModuleId module = 0;
  device::Launch launch;
  Address out = 0;
  bool good = device->load_module(test::unrolled(28'000), "unrolled.ptx", &module).ok() &&
              device->find_kernel(module, "unrolled", &launch.kernel).ok() &&
              device->allocate(1 << 16, device::MemoryKind::Device, &out).ok();
  launch.grid = {1};
  launch.block = {32};
  const std::array<uint64_t, 2> pointers{out, out + 8192};
  launch.parameters.resize(20);
  std::memcpy(launch.parameters.data(), pointers.data(), sizeof pointers);
  good = good && device->submit(0, launch).ok() && device->wait(0).ok();
  std::exit(good ? 7 : 1);
}

TEST(TiersAtExit, the_process_ends_while_a_kernel_is_compiled) {
  const auto begun = Clock::now();
  EXPECT_EXIT(run_and_exit(), testing::ExitedWithCode(7), "");
  EXPECT_LT(Clock::now() - begun, kSlowdown * 5s);
}

TEST(UndoLog, brings_back_what_was_noted_and_nothing_else) {
  alignas(64) std::array<std::byte, 256> memory{};
  interpreter::UndoLog log;
  for (size_t k = 0; k < memory.size(); ++k) memory[k] = static_cast<std::byte>(k);
  log.note(&memory[60], 9);  // across the end of a line
  log.note(&memory[64], 64);
  for (size_t k = 40; k < 140; ++k) memory[k] = std::byte{0xff};
  log.note(&memory[62], 4);  // later contents do not count
  log.undo();
  for (size_t k = 0; k < memory.size(); ++k)
    ASSERT_EQ(memory[k], (k >= 40 && k < 60) || (k >= 128 && k < 140) ? std::byte{0xff} : static_cast<std::byte>(k))
        << k;
  memory[100] = std::byte{1};
  log.undo();
  EXPECT_EQ(memory[100], std::byte{1}) << "the log is empty";
}

}  // namespace
}  // namespace warpwise::exec
