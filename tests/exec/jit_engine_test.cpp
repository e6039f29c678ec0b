// The compiled engine with a compiler that hands out ready-made kernels (fake_compiler.h).
#include "exec/loading/jit_engine.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <span>
#include <thread>
#include <vector>

#include "exec/observer.h"
#include "fake_compiler.h"

namespace warpwise::exec {
namespace {

using device::Failure;

TEST(JitEngine, runs_all_blocks) {
  TestMachine m;
  constexpr uint32_t n = 100'000;
  auto in = m.allocate(n * 4), out = m.allocate(n * 4);
  for (uint32_t i = 0; i < n; ++i) m.view<float>(in)[i] = static_cast<float>(i);
  auto status = m.run("scale_kernel", {(n + 255) / 256}, {256}, out, in, n, 2.5f);
  ASSERT_TRUE(status.ok()) << status.detail;
  for (uint32_t i = 0; i < n; ++i) ASSERT_EQ(m.view<float>(out)[i], 2.5f * static_cast<float>(i));
}

TEST(JitEngine, compiles_once_per_block_shape) {
  TestMachine m;
  KernelLaunch launch = m.prepare("empty_kernel", {10}, {32});
  for (uint32_t threads : {32u, 64u, 32u, 64u}) {
    launch.block = {threads};
    EXPECT_TRUE(m.engine->prepare(launch).ok());
    EXPECT_TRUE(m.engine->run(launch).ok());
  }
  EXPECT_EQ(m.compiler.compiled, 2);
}

TEST(JitEngine, compiles_again_where_an_assumption_on_numbers_is_wrong) {
  TestMachine m;
  m.compiler.assumed.add({simt::LaunchRange::Of::Parameter, 4, 4, 16, 100});
  m.compiler.assumed.add({simt::LaunchRange::Of::GridX, 0, 0, 0, 8});
  KernelLaunch launch = m.prepare("empty_kernel", {8}, {32});
  // How often it was compiled, after a launch of so many blocks with these parameters.
  auto compiled = [&](uint32_t blocks, std::vector<uint32_t> parameters) {
    launch.grid = {blocks};
    launch.parameters = std::as_bytes(std::span(parameters));
    EXPECT_TRUE(m.engine->run(launch).ok());
    return m.compiler.compiled;
  };
  EXPECT_EQ(compiled(8, {0, 16}), 1);
  EXPECT_EQ(compiled(1, {0, 100}), 1);
  EXPECT_TRUE(m.compiler.assumes_last);
  EXPECT_EQ(compiled(8, {16, 15}), 2) << "too small";
  EXPECT_FALSE(m.compiler.assumes_last);
  EXPECT_EQ(compiled(8, {16, 101}), 2) << "too large: the version that assumes nothing is there";
  EXPECT_EQ(compiled(9, {0, 16}), 2) << "too many blocks";
  EXPECT_EQ(compiled(8, {0, ~0u}), 2) << "negative";
  EXPECT_EQ(compiled(8, {0}), 2) << "no such parameter";
  EXPECT_EQ(compiled(8, {0, 50}), 2) << "the first one";

  m.engine->forget(m.image);
  EXPECT_EQ(compiled(9, {0, 16}), 4) << "both, and the second one runs";
}

TEST(JitEngine, says_what_is_not_supported) {
  TestMachine m;
  auto status = m.engine->prepare(m.prepare("unsupported_kernel", {1}, {1}));
  EXPECT_EQ(status.failure, Failure::NotSupported);
  EXPECT_NE(status.detail.find("P0900"), std::string::npos);
}

TEST(JitEngine, takes_threads_where_llvm_gives_up) {
  TestMachine m;
  m.compiler.no_vectors.insert("barrier_thread");
  testing::internal::CaptureStderr();
  EXPECT_TRUE(m.engine->prepare(m.prepare("barrier_thread", {1}, {32})).ok());
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "warpwise: `barrier_thread` runs thread by thread, which is slower: X0002: LLVM cannot compile it: Cannot "
            "select: X\n");
  EXPECT_EQ(m.compiler.compiled, 2);

  Options options;
  options.mode = ModeChoice::Simt;
  TestMachine converged(options);  // what was asked for is not replaced
  converged.compiler.no_vectors.insert("barrier_thread");
  EXPECT_NE(converged.engine->prepare(converged.prepare("barrier_thread", {1}, {32})).detail.find("X0002"),
            std::string::npos);
}

TEST(JitEngine, survives_wild_addresses_and_tells_the_story) {
  TestMachine m;
  auto small = m.allocate(100'000);
  auto status = m.run("wild_kernel", {4}, {64}, small + (4 << 20) - 4096);
  EXPECT_EQ(status.failure, Failure::IllegalAddress);
  EXPECT_NE(status.detail.find("kernel `wild_kernel`, block (1,0,0), warp 0"), std::string::npos) << status.detail;
  status = m.run("wild_kernel", {4}, {64}, small + 102'400 + 4);
  EXPECT_NE(status.detail.find("is 2404 bytes past the end of a 100000-byte allocation"), std::string::npos)
      << status.detail;
  status = m.run("wild_kernel", {4}, {1}, uint64_t{0});
  EXPECT_NE(status.detail.find("block (1,0,0), thread (0,0,0)"), std::string::npos) << status.detail;
  int host = 5;
  status = m.run("wild_kernel", {4}, {64}, &host);
  EXPECT_EQ(status.failure, Failure::IllegalAddress);
  EXPECT_EQ(host, 5);
  EXPECT_NE(status.detail.find("looks like a host pointer"), std::string::npos) << status.detail;
  status = m.run("wild_kernel", {4}, {64}, uint64_t{0});
  EXPECT_NE(status.detail.find("null pointer"), std::string::npos) << status.detail;
  m.arena.free(small);
  status = m.run("wild_kernel", {4}, {64}, small + 16);
  EXPECT_NE(status.detail.find("is byte 16 of a 100000-byte allocation"), std::string::npos) << status.detail;
  EXPECT_NE(status.detail.find("was freed"), std::string::npos) << status.detail;
  EXPECT_TRUE(m.run("empty_kernel", {4}, {64}).ok());
}

TEST(JitEngine, names_the_lane_of_a_vector_access) {
  if (!__builtin_cpu_supports("avx512f")) GTEST_SKIP() << "the test kernels are for AVX-512";
  TestMachine m;
  // Five lanes of the vector fit in front of the end of the pages.
  auto memory = m.allocate(1 << 20);
  auto status = m.run("vector_store_kernel", {1}, {64}, memory + (1 << 20) - 20);
  EXPECT_EQ(status.failure, Failure::IllegalAddress);
  EXPECT_NE(status.detail.find("thread (53,0,0)\n  at lane.ptx:4, `ld.global.f32 %f, [%a]`\n"), std::string::npos)
      << status.detail;
  EXPECT_NE(status.detail.find("is just past the end of a 1048576-byte allocation"), std::string::npos)
      << status.detail;
  for (int lane : {0, 9, 15}) {
    for (int i = 0; i < 16; ++i) m.view<int>(memory)[i] = i;
    m.view<int>(memory)[lane] = 1 << 30;
    status = m.run("gather_kernel", {1}, {64}, memory, memory);
    std::string thread = "thread (" + std::to_string(32 + 16 + lane) + ",0,0)";
    EXPECT_NE(status.detail.find(thread), std::string::npos) << status.detail;
    EXPECT_NE(status.detail.find("is 4293918720 bytes past the end"), std::string::npos) << status.detail;
  }
}

TEST(JitEngine, reports_the_lowest_failing_block) {
  for (unsigned threads : {1u, 2u, 5u}) {
    Options options;
    options.threads = threads;
    TestMachine m(options);
    for (int round = 0; round < 20; ++round) {
      auto status = m.run("trap_kernel", {1000}, {64});
      EXPECT_EQ(status.failure, Failure::LaunchFailure);
      EXPECT_EQ(status.detail.find("trap: kernel `trap_kernel`, block (2,0,0), thread (36,0,0)"), 0u);
    }
  }
}

TEST(JitEngine, prints_in_block_order) {
  for (unsigned threads : {1u, 4u}) {
    Options options;
    options.threads = threads;
    TestMachine m(options);
    auto format = m.allocate(64);
    std::strcpy(m.view<char>(format), "block %d warp %d %.2f\n");
    ASSERT_TRUE(m.run("print_kernel", {100}, {32}, format).ok());
    std::string expected;
    for (int b = 0; b < 100; ++b) expected += "block " + std::to_string(b) + " warp 7 0.50\n";
    EXPECT_EQ(m.printed, expected);
  }
}

TEST(JitEngine, ends_kernels_that_do_not_end) {
  Options options;
  options.timeout_seconds = 0.3;  // on a busy machine, too, the kernel is in its loop by then
  TestMachine m(options);
  auto status = m.run("endless_kernel", {3}, {128});
  EXPECT_EQ(status.failure, Failure::LaunchTimeout);
  EXPECT_EQ(status.detail.substr(0, status.detail.find('\n')),
            "the kernel did not end within 0.3 s: kernel `endless_kernel`, block (0,0,0), warp 3 (threads 96 to 127)");
}

// Blocks of such a launch spend no time in the kernel's code, where the watch could end them.
class SlowToBegin : public ObserverClient, public LaunchObserver {
 public:
  void launch_begins(const KernelLaunch&) override {}
  void launch_ends(const KernelLaunch&) override {}
  void block_begins(BlockRun&) override { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }
};

TEST(JitEngine, ends_launches_of_many_short_blocks) {
  Options options;
  options.timeout_seconds = 0.1;
  constexpr uint32_t kBlocks = 1'000'000;  // 1,000 s on two host threads
  for (const char* kernel : {"empty_kernel", "arrive_thread"}) {
    SCOPED_TRACE(kernel);
    TestMachine m(options);
    Observer observer;
    observer.add(std::make_unique<SlowToBegin>());
    m.machine.observer = &observer;
    auto status = m.run(kernel, {kBlocks}, {64}, m.allocate(256));
    EXPECT_EQ(status.failure, Failure::LaunchTimeout);
    EXPECT_EQ(status.detail.substr(0, status.detail.find(',')),
              fmt::format("the kernel did not end within 0.1 s: kernel `{}`", kernel));
  }
}

// Wants blocks in order, but for those of small grids.
class OrdersLargeGrids : public ObserverClient, public LaunchObserver {
 public:
  bool wants_order() const override { return true; }
  bool wants_blocks_in_order(const KernelLaunch& launch, const LoadedKernel&) const override {
    return launch.grid.count() > 8;
  }
  void launch_begins(const KernelLaunch&) override {}
  void launch_ends(const KernelLaunch&) override {}
  void block_begins(BlockRun& run) override { (run.launch.in_order ? in_order : side_by_side)++; }
  std::atomic<int> in_order{0}, side_by_side{0};
};

TEST(JitEngine, runs_blocks_in_order_where_an_observer_wants_it_of_the_launch) {
  Options options;
  options.threads = 4;
  TestMachine m(options);
  Observer observer;
  auto client = std::make_unique<OrdersLargeGrids>();
  const OrdersLargeGrids& seen = *client;
  observer.add(std::move(client));
  m.machine.observer = &observer;
  EXPECT_TRUE(m.run("empty_kernel", {8}, {32}).ok());
  EXPECT_EQ(seen.side_by_side, 8);
  EXPECT_EQ(seen.in_order, 0);
  EXPECT_TRUE(m.run("empty_kernel", {9}, {32}).ok());
  EXPECT_EQ(seen.in_order, 9);
}

// Counts a few blocks, for a person who waits.
class CountsBriefly : public ObserverClient, public CountObserver {
 public:
  simt::Counting counting() const override { return simt::Counting::Sums; }
  bool counts_in_quick_tier() const override { return true; }
  bool count_block(BlockRun& run) override {
    if (run.block >= counted_blocks) return false;
    std::this_thread::sleep_for(counting_takes);
    return true;
  }
  void pilot_ended(const KernelLaunch&) override { ++pilots; }
  void counted(const CountedLanes&) override {}
  void counted(const CountedThread&) override {}
  void block_ends(BlockRun&) override {}
  void bulk_copied(BlockRun&, const BulkTraffic&) override {}
  void multiplied(BlockRun&, numerics::Element, uint64_t) override {}
  int pilots = 0;
  uint64_t counted_blocks = 1;
  std::chrono::milliseconds counting_takes{0};  // of such a block
};

// The tiers of the versions that a launch has compiled.
std::vector<simt::Tier> compiled_beside_counts(const char* kernel, uint32_t blocks,
                                               std::chrono::milliseconds counting_takes = {}) {
  TestMachine m;
  Observer observer;
  auto client = std::make_unique<CountsBriefly>();
  client->counted_blocks = 4, client->counting_takes = counting_takes;
  observer.add(std::move(client));
  m.machine.observer = &observer;
  EXPECT_TRUE(m.run(kernel, {blocks}, {64}).ok());
  return m.compiler.tiers;
}

TEST(JitEngine, begins_in_the_quick_tier_where_few_blocks_count) {
  using simt::Tier::Quick;
  // With counts, and without; where the machine is so slow that the kernel is hot, the optimised version as well.
  std::vector<simt::Tier> much = compiled_beside_counts("slow_kernel", 300);
  if (much.size() == 3 && much.back() == simt::Tier::Optimised) much.pop_back();
  EXPECT_EQ(much, (std::vector{Quick, Quick}));
  EXPECT_EQ(compiled_beside_counts("slow_kernel", 1), std::vector{Quick});
  // Code that counts runs the other blocks as well where these take little, whatever those take that count.
  EXPECT_EQ(compiled_beside_counts("empty_kernel", 100, std::chrono::milliseconds(20)), std::vector{Quick});
}

TEST(JitEngine, goes_over_to_optimised_code_that_runs_beside_counts) {
  TestMachine m;
  Observer observer;
  auto client = std::make_unique<CountsBriefly>();
  CountsBriefly& counts = *client;
  observer.add(std::move(client));
  m.machine.observer = &observer;
  const uint64_t parameters[] = {m.allocate(4'000'000), m.allocate(4)};
  KernelLaunch launch = m.prepare("order_kernel", {1'000'000}, {32});
  launch.parameters = std::as_bytes(std::span(parameters));
  // Blocks in order, until the rest is run by other code: none is left out, and none runs twice.
  for (int launches = 0; launches < 1000 && m.compiler.tiers.size() < 3; ++launches) {
    *m.view<uint32_t>(parameters[1]) = 0;
    ASSERT_TRUE(m.engine->run(launch).ok());
    for (uint32_t i = 0; i < 1'000'000; ++i) ASSERT_EQ(m.view<uint32_t>(parameters[0])[i], i) << launches;
    EXPECT_EQ(counts.pilots, launches + 1);
  }
  using enum simt::Tier;
  EXPECT_EQ(m.compiler.tiers, (std::vector{Quick, Quick, Optimised}));
}

// Is told of accesses, as a checker is.
class WatchesAccesses : public ObserverClient, public LaunchObserver {
 public:
  uint32_t watch() const override { return 1; }
  void launch_begins(const KernelLaunch&) override {}
  void launch_ends(const KernelLaunch&) override {}
};

TEST(JitEngine, goes_through_all_tiers_while_a_kernel_is_checked) {
  for (const TierChoice choice : {TierChoice::Automatic, TierChoice::Takeover}) {
    Options options;
    options.tiers = choice;
    TestMachine m(options);
    Observer observer;
    observer.add(std::make_unique<WatchesAccesses>());
    m.machine.observer = &observer;
    const uint64_t parameters[] = {m.allocate(4'000'000), m.allocate(4)};
    KernelLaunch launch = m.prepare("order_kernel", {1'000'000}, {32});
    launch.parameters = std::as_bytes(std::span(parameters));
    int launches = 0;
    for (; launches < 1000 && m.compiler.tiers.size() < 3; ++launches) {
      *m.view<uint32_t>(parameters[1]) = 0;
      ASSERT_TRUE(m.engine->run(launch).ok());
      for (uint32_t i = 0; i < 1'000'000; ++i) ASSERT_EQ(m.view<uint32_t>(parameters[0])[i], i) << launches;
    }
    using enum simt::Tier;
    EXPECT_EQ(m.compiler.tiers, (std::vector{Quick, Balanced, Optimised}));
    if (choice == TierChoice::Takeover) EXPECT_EQ(launches, 1);
  }
}

TEST(JitEngine, ends_at_an_interrupt_and_says_where) {
  EXPECT_EXIT(
      {
        TestMachine m;
        std::thread([] {
          std::this_thread::sleep_for(std::chrono::milliseconds(100));
          kill(getpid(), SIGINT);
        }).detach();
        m.run("endless_kernel", {1}, {256});
      },
      testing::KilledBySignal(SIGINT),
      "interrupted: kernel `endless_kernel`, block .0,0,0., warp 3 .threads 96 to 127.");
}

TEST(JitEngine, runs_order_sensitive_kernels_in_order) {
  Options options;
  options.threads = 4;
  TestMachine m(options);
  auto order = m.allocate(4000), counter = m.allocate(4);
  ASSERT_TRUE(m.run("order_kernel", {1000}, {32}, order, counter).ok());
  std::vector<uint32_t> expected(1000);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), m.view<uint32_t>(order)));
}

TEST(JitEngine, permutes_blocks_on_request) {
  std::vector<std::vector<uint32_t>> orders;
  for (uint64_t seed : {1, 1, 2}) {
    Options options;
    options.schedule = {true, seed};
    TestMachine m(options);
    auto order = m.allocate(4000), counter = m.allocate(4);
    ASSERT_TRUE(m.run("order_kernel", {1000}, {32}, order, counter).ok());
    orders.emplace_back(m.view<uint32_t>(order), m.view<uint32_t>(order) + 1000);
  }
  EXPECT_EQ(orders[0], orders[1]);
  EXPECT_NE(orders[0], orders[2]);
  EXPECT_FALSE(std::is_sorted(orders[0].begin(), orders[0].end()));
  std::sort(orders[0].begin(), orders[0].end());
  for (uint32_t i = 0; i < 1000; ++i) EXPECT_EQ(orders[0][i], i);
}

TEST(JitEngine, gives_kernels_a_heap) {
  TestMachine m;
  auto out = m.allocate(16);
  auto status = m.run("malloc_kernel", {1}, {32}, out);
  ASSERT_TRUE(status.ok()) << status.detail;
  EXPECT_NE(m.view<uint64_t>(out)[0], 0u);
  EXPECT_EQ(m.view<uint64_t>(out)[0] % 16, 0u);
  EXPECT_EQ(m.view<uint64_t>(out)[1], 0u);  // a tebibyte is too much
}

TEST(JitEngine, starts_small_launches_quickly) {
  TestMachine m;
  KernelLaunch launch = m.prepare("empty_kernel", {1}, {32});
  ASSERT_TRUE(m.engine->run(launch).ok());
  uint64_t best = ~uint64_t{0};
  for (int round = 0; round < 200; ++round) {
    auto start = Clock::now();
    m.engine->run(launch);
    best = std::min<uint64_t>(best, std::chrono::nanoseconds(Clock::now() - start).count());
  }
  RecordProperty("nanoseconds", static_cast<int>(best));
  printf("an empty launch takes %llu ns\n", static_cast<unsigned long long>(best));
#if !defined(__SANITIZE_ADDRESS__)
  EXPECT_LT(best, 5000u);
#endif
}

// Streaming kernels have blocks of about 40 ns: what the scheduler adds must stay small beside that.
TEST(JitEngine, spends_little_on_a_block) {
  Options options;
  options.threads = 1;
  TestMachine m(options);
  m.compiler.static_shared_bytes = 0;
  constexpr uint32_t blocks = 1 << 16;
  KernelLaunch launch = m.prepare("empty_kernel", {blocks}, {256});
  ASSERT_TRUE(m.engine->run(launch).ok());
  double best = 1e9;
  for (int round = 0; round < 20; ++round) {
    auto start = Clock::now();
    m.engine->run(launch);
    best = std::min(best, std::chrono::duration<double, std::nano>(Clock::now() - start).count() / blocks);
  }
  printf("an empty block takes %.1f ns\n", best);
#if !defined(__SANITIZE_ADDRESS__)
  EXPECT_LT(best, 25.0);
#endif
}

}  // namespace
}  // namespace warpwise::exec
