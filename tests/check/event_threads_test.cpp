// The threads that an event comes from: lanes of a warp, or one thread whose operands lie at lane 0.
#include "check/event_threads.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace warpwise::check {
namespace {

using Threads = std::vector<std::pair<unsigned, uint32_t>>;  // lanes and threads

Threads list(const EventThreads& threads) {
  Threads out;
  for (const auto [lane, thread] : threads) out.push_back({lane, thread});
  return out;
}

TEST(EventThreads, are_the_lanes_of_a_warp) {
  EXPECT_EQ(list({0x8000'0005, 64}), (Threads{{0, 64}, {2, 66}, {31, 95}}));
  EXPECT_EQ(list({~0u, 0}).size(), 32u);
}

TEST(EventThreads, are_one_thread_with_its_operands_at_lane_0) { EXPECT_EQ(list({1, 77}), (Threads{{0, 77}})); }

TEST(EventThreads, may_be_none) { EXPECT_TRUE(list({0, 32}).empty()); }

}  // namespace
}  // namespace warpwise::check
