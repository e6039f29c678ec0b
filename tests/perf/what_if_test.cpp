// The steps of the what-if table, from the rules by hand: an H100 holds 64 warps and 65,536 registers an SM.
#include "perf/occupancy/what_if.h"

#include <gtest/gtest.h>

namespace warpwise::perf {
namespace {

const device::Properties& h100() { return *device::find_device("h100"); }

// Eight warps a block: 8 blocks fill 64 warps, and 65,536 registers over 64 warps are 1024 a warp, 32 a thread; 7
// blocks need 56 warps, 14 in each quarter of the file: 16384 / 14 = 1170, 1024 in units of 256, which already gives 8.
// So 7 never occurs.
TEST(WhatIf, register_steps_are_where_blocks_change) {
  std::vector<OccupancyStep> steps = register_steps(h100(), {.threads = 256, .registers = 40});
  ASSERT_GE(steps.size(), 3u);
  EXPECT_EQ(steps[0].value, 32u);
  EXPECT_EQ(steps[0].occupancy.blocks, 8u);
  EXPECT_EQ(steps[1].value, 40u);
  EXPECT_EQ(steps[1].occupancy.blocks, 6u);  // 1280 a warp: 12 a quarter, 48 warps
  for (const OccupancyStep& step : steps) EXPECT_NE(step.occupancy.blocks, 7u);
  EXPECT_EQ(steps.back().value, 255u);
}

// 227 KiB at most for one block; two share 228 KiB with 1 KiB of the system's each: 113 KiB.
TEST(WhatIf, shared_steps_are_where_blocks_change) {
  std::vector<OccupancyStep> steps = shared_steps(h100(), {.threads = 256, .registers = 32});
  ASSERT_GE(steps.size(), 2u);
  EXPECT_EQ(steps.back().value, 227u << 10);
  EXPECT_EQ(steps.back().occupancy.blocks, 1u);
  EXPECT_EQ(steps[steps.size() - 2].value, 113u << 10);
  EXPECT_EQ(steps[steps.size() - 2].occupancy.blocks, 2u);
}

TEST(WhatIf, names_the_smallest_change_that_helps) {
  std::vector<OccupancyChange> changes = better_occupancies(h100(), {.threads = 256, .registers = 40});
  ASSERT_FALSE(changes.empty());
  EXPECT_EQ(changes[0].resource, device::OccupancyLimit::Registers);
  EXPECT_EQ(changes[0].from, 40u);
  EXPECT_EQ(changes[0].to, 32u);
  EXPECT_DOUBLE_EQ(changes[0].occupancy.fraction, 1.0);
}

// Blocks of 768 leave 16 of 64 warps empty; 512 and 1024 fill them, and 512 is nearer by nothing: the smaller comes
// first.
TEST(WhatIf, proposes_a_block_size) {
  std::vector<OccupancyChange> changes = better_occupancies(h100(), {.threads = 768, .registers = 16});
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].resource, device::OccupancyLimit::Warps);
  EXPECT_EQ(changes[0].to, 512u);
}

TEST(WhatIf, has_nothing_to_say_of_a_full_multiprocessor) {
  EXPECT_TRUE(better_occupancies(h100(), {.threads = 256, .registers = 32}).empty());
}

}  // namespace
}  // namespace warpwise::perf
