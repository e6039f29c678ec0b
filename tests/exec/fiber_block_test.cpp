// Blocks in independent-thread mode: barriers, warp collectives, blocks that spin, deadlocks
// (exec/fibers/thread_block.h).
#include <gtest/gtest.h>

#include "base/sanitized.h"
#include "exec/fibers/thread_block.h"
#include "fake_compiler.h"

namespace warpwise::exec {
namespace {

using device::Failure;

std::vector<Options> schedules() {
  Options in_order, shuffled, one_thread;
  shuffled.schedule = {true, 42};
  one_thread.threads = 1;
  return {in_order, shuffled, one_thread};
}

TEST(FiberBlock, barriers_and_their_reductions) {
  for (const Options& options : schedules()) {
    TestMachine m(options);
    for (uint32_t threads : {1u, 20u, 256u, 1000u}) {
      auto out = m.allocate(threads * 4);
      auto status = m.run("barrier_thread", {3}, {threads}, out);
      ASSERT_TRUE(status.ok()) << status.detail;
      uint32_t expected = threads * (threads - 1) / 2 * 1000 + threads / 2;
      for (uint32_t t = 0; t < threads; ++t) ASSERT_EQ(m.view<uint32_t>(out)[t], expected) << t << " of " << threads;
    }
  }
}

TEST(FiberBlock, shuffles_meet_at_different_places) {
  for (const Options& options : schedules()) {
    TestMachine m(options);
    auto out = m.allocate(96 * 4);
    auto status = m.run("shuffle_thread", {1}, {96}, out);
    ASSERT_TRUE(status.ok()) << status.detail;
    for (int t = 0; t < 96; ++t) EXPECT_EQ(m.view<uint32_t>(out)[t], 31u * 32 / 2);
  }
}

TEST(FiberBlock, votes_without_the_lanes_that_have_left) {
  for (const Options& options : schedules()) {
    TestMachine m(options);
    auto out = m.allocate(32 * 6 * 4);
    auto status = m.run("vote_thread", {1}, {32}, out);
    ASSERT_TRUE(status.ok()) << status.detail;
    for (uint32_t lane = 0; lane < 16; ++lane) {
      const uint32_t* got = m.view<uint32_t>(out) + lane * 6;
      EXPECT_EQ(got[0], 0b1001001001001001u);
      EXPECT_EQ(got[1], 0xfu << (lane / 4 * 4));
      EXPECT_EQ(got[2], 0u);
      EXPECT_EQ(got[3], 120u);
      EXPECT_EQ(got[4], lane == 0 ? 1u : 0u);
      EXPECT_EQ(got[5], lane < 5 ? 0x1fu : 0xffe0u);
    }
  }
}

TEST(FiberBlock, every_thread_advances) {
  for (const Options& options : schedules()) {
    TestMachine m(options);
    auto lock = m.allocate(4), counter = m.allocate(4);
    auto status = m.run("lock_thread", {20}, {64}, lock, counter);
    ASSERT_TRUE(status.ok()) << status.detail;
    EXPECT_EQ(*m.view<uint32_t>(counter), 20u * 64);
  }
}

TEST(FiberBlock, a_spinning_block_lets_others_in) {
  for (const Options& options : schedules()) {
    TestMachine m(options);
    auto flag = m.allocate(4), out = m.allocate(64 * 4);
    auto status = m.run("flag_thread", {5}, {64}, flag, out);
    ASSERT_TRUE(status.ok()) << status.detail;
    for (int t = 0; t < 64; ++t) EXPECT_EQ(m.view<uint32_t>(out)[t], 77u);
  }
}

TEST(FiberBlock, a_block_beyond_occupancy_is_the_watchdogs) {
  Options options;
  options.timeout_seconds = 0.05 * kSlowdown;
  options.threads = 1;
  TestMachine m(options);
  auto flag = m.allocate(4), out = m.allocate(64 * 4);
  KernelLaunch launch = m.prepare("flag_thread", {20}, {64});
  device::Address parameters[] = {flag, out};
  launch.parameters = std::as_bytes(std::span(parameters));
  // The blocks in between end at once, so even one resident block more is enough; with none it cannot end.
  launch.resident_blocks = 2;
  EXPECT_TRUE(m.engine->run(launch).ok());
  *m.view<uint32_t>(flag) = 0;
  launch.resident_blocks = 1;
  auto status = m.engine->run(launch);
  EXPECT_EQ(status.failure, Failure::LaunchTimeout);
  EXPECT_NE(status.detail.find("block (0,0,0)"), std::string::npos) << status.detail;
  // Cooperative: all blocks are resident.
  launch.cooperative = true;
  EXPECT_TRUE(m.engine->run(launch).ok());
}

TEST(FiberBlock, producers_arrive_without_waiting) {
  for (const Options& options : schedules()) {
    TestMachine m(options);
    auto out = m.allocate(32 * 4);
    auto status = m.run("arrive_thread", {1}, {64}, out);
    ASSERT_TRUE(status.ok()) << status.detail;
    for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(m.view<uint32_t>(out)[t], t + 100);
  }
}

TEST(FiberBlock, reports_a_deadlock_at_once) {
  TestMachine m;
  auto status = m.run("deadlock_thread", {1}, {64});
  EXPECT_EQ(status.failure, Failure::LaunchTimeout);
  EXPECT_NE(status.detail.find("deadlock: 64 of 64 threads wait and none can go on"), std::string::npos)
      << status.detail;
  EXPECT_NE(status.detail.find("wait at barrier 1, where 32 of 64 have arrived"), std::string::npos) << status.detail;
  EXPECT_NE(status.detail.find("wait at barrier 2, where"), std::string::npos) << status.detail;
  auto again = m.run("deadlock_thread", {1}, {64});
  EXPECT_EQ(again.detail, status.detail);
}

TEST(FiberBlock, names_the_thread_of_a_wild_access) {
  TestMachine m;
  auto status = m.run("wild_thread", {1}, {8, 8}, uint64_t{64});
  EXPECT_EQ(status.failure, Failure::IllegalAddress);
  EXPECT_NE(status.detail.find("thread (5,4,0)"), std::string::npos) << status.detail;
}

TEST(FiberBlock, survives_a_recursion_that_is_too_deep) {
  TestMachine m;
  for (int round = 0; round < 3; ++round) {
    auto status = m.run("recursion_thread", {1}, {32});
    EXPECT_EQ(status.failure, Failure::HardwareStackError) << status.detail;
    EXPECT_NE(status.detail.find("thread (3,0,0)"), std::string::npos) << status.detail;
  }
}

}  // namespace
}  // namespace warpwise::exec
