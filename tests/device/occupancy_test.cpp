// Compares the occupancy rules with results of CUDA's own calculator for compute capability 9.0.
#include "device/occupancy.h"

#include <gtest/gtest.h>

namespace warpwise::device {
namespace {

const Properties& h100() { return *find_device("h100"); }

unsigned blocks(unsigned threads, unsigned registers, size_t dynamic = 0, size_t limit = 49152) {
  return blocks_per_multiprocessor(h100(), {threads, registers, 0, dynamic, limit});
}

TEST(Occupancy, LimitedByBlocksAndWarps) {
  EXPECT_EQ(blocks(32, 16), 32u);
  EXPECT_EQ(blocks(64, 16), 32u);
  EXPECT_EQ(blocks(96, 16), 21u);
  EXPECT_EQ(blocks(256, 16), 8u);
  EXPECT_EQ(blocks(768, 16), 2u);
  EXPECT_EQ(blocks(1024, 16), 2u);
  EXPECT_EQ(blocks(1, 16), 32u);
  EXPECT_EQ(blocks(1025, 16), 0u);
  EXPECT_EQ(blocks(0, 16), 0u);
}

TEST(Occupancy, LimitedByRegisters) {
  EXPECT_EQ(blocks(256, 32), 8u);
  EXPECT_EQ(blocks(256, 33), 6u);  // 1280 per warp: 12 warps in each partition, 48 in all
  EXPECT_EQ(blocks(256, 64), 4u);
  EXPECT_EQ(blocks(256, 65), 3u);  // 2304 per warp: 7 and 28
  EXPECT_EQ(blocks(256, 128), 2u);
  EXPECT_EQ(blocks(256, 255), 1u);
  EXPECT_EQ(blocks(512, 255), 0u);  // more than a block may have
  EXPECT_EQ(blocks(1024, 64), 1u);
  EXPECT_EQ(blocks(1024, 65), 0u);
  EXPECT_EQ(blocks(32, 257), 0u);
}

TEST(Occupancy, LimitedBySharedMemory) {
  EXPECT_EQ(blocks(32, 16, 40 << 10), 5u);  // 41 KiB with the system's own
  EXPECT_EQ(blocks(32, 16, 48 << 10), 4u);
  EXPECT_EQ(blocks(32, 16, (48 << 10) + 1), 0u);  // without the opt-in
  EXPECT_EQ(blocks(32, 16, 100 << 10, 227 << 10), 2u);
  EXPECT_EQ(blocks(32, 16, 227 << 10, 227 << 10), 1u);
}

TEST(Occupancy, SharedMemoryThatIsLeft) {
  BlockResources block{.threads = 256, .registers = 16, .static_shared = 512, .shared_limit = 227 << 10};
  size_t two = dynamic_shared_for(h100(), block, 2);
  block.dynamic_shared = two;
  EXPECT_EQ(blocks_per_multiprocessor(h100(), block), 2u);
  block.dynamic_shared = two + 128;
  EXPECT_EQ(blocks_per_multiprocessor(h100(), block), 1u);
  EXPECT_EQ(dynamic_shared_for(h100(), block, 9), 0u);  // that many never fit
}

TEST(Occupancy, OlderDevicesAllocateLargerUnits) {
  Properties v100 = h100();
  v100.major = 7;
  v100.shared_per_sm_bytes = 96 << 10;
  v100.reserved_shared_per_block_bytes = 0;
  EXPECT_EQ(blocks_per_multiprocessor(v100, {32, 16, 0, 129 * 30, 49152}), 24u);  // 3870 take 4096
}

// 16 named barriers of 64: an H100 has two for each of its 32 block slots.
TEST(Occupancy, LimitedByBarriers) {
  BlockResources block{.threads = 32, .registers = 16, .barriers = 16};
  EXPECT_EQ(blocks_per_multiprocessor(h100(), block), 4u);
  EXPECT_TRUE(occupancy_of(h100(), block).limited_by(OccupancyLimit::Barriers));
  EXPECT_EQ(blocks_per_multiprocessor(*find_device("a6000"), block), 16u);  // not counted before 9.0
}

// Half of 228 KiB is 114, and the next size that exists is 132: six blocks of 21 KiB with the system's own.
TEST(Occupancy, FollowsTheCarveOut) {
  BlockResources block{.threads = 64, .registers = 16, .dynamic_shared = 20 << 10, .carveout_percent = 50};
  Occupancy half = occupancy_of(h100(), block);
  EXPECT_EQ(half.shared_per_sm, size_t{132} << 10);
  EXPECT_EQ(half.blocks, 6u);
  block.carveout_percent = 0;  // grows until one block fits: 32 KiB
  EXPECT_EQ(occupancy_of(h100(), block).blocks, 1u);
}

}  // namespace
}  // namespace warpwise::device
