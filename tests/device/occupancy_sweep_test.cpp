// Compares the occupancy rules with the toolkit's own calculator: 100,000 random blocks, and corner cases, on every
// device.
//
// The number of blocks and the limit of each resource must agree wherever the calculator gives a result.
#include <cuda_occupancy.h>
#include <gtest/gtest.h>

#include <climits>
#include <random>

#include "device/occupancy.h"

namespace warpwise::device {
namespace {

cudaOccDeviceProp theirs(const Properties& device) {
  cudaOccDeviceProp p;
  p.computeMajor = static_cast<int>(device.major);
  p.computeMinor = static_cast<int>(device.minor);
  p.maxThreadsPerBlock = Properties::kMaxThreadsPerBlock;
  p.maxThreadsPerMultiprocessor = static_cast<int>(device.threads_per_sm);
  p.regsPerBlock = static_cast<int>(device.registers_per_block);
  p.regsPerMultiprocessor = static_cast<int>(device.registers_per_sm);
  p.warpSize = Properties::kWarpSize;
  p.sharedMemPerBlock = device.shared_per_block_bytes;
  p.sharedMemPerMultiprocessor = device.shared_per_sm_bytes;
  p.numSms = static_cast<int>(device.sm_count);
  p.sharedMemPerBlockOptin = device.shared_per_block_optin_bytes;
  p.reservedSharedMemPerBlock = device.reserved_shared_per_block_bytes;
  return p;
}

// Without a result of the calculator the block cannot run.
int expected(const Properties& device, const BlockResources& block, cudaOccResult* result) {
  cudaOccDeviceProp properties = theirs(device);
  cudaOccFuncAttributes function;
  function.maxThreadsPerBlock = INT_MAX;
  function.numRegs = static_cast<int>(block.registers);
  function.sharedSizeBytes = block.static_shared;
  function.numBlockBarriers = static_cast<int>(block.barriers);
  if (block.shared_limit > device.shared_per_block_bytes) {
    function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    function.maxDynamicSharedSizeBytes = block.dynamic_shared;
  }
  cudaOccDeviceState state;
  state.carveoutConfig = block.carveout_percent;
  cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(result, &properties, &function, &state,
                                                               static_cast<int>(block.threads), block.dynamic_shared);
  return error == CUDA_OCC_SUCCESS ? result->activeBlocksPerMultiprocessor : -1;
}

// Neither side uses 0 for "no limit": the calculator's value is INT_MAX.
void agree(unsigned ours, int their_limit, const char* what) {
  if (their_limit == INT_MAX)
    EXPECT_EQ(ours, Occupancy::kNoLimit) << what;
  else
    EXPECT_EQ(ours, static_cast<unsigned>(their_limit)) << what;
}

bool compare(const Properties& device, const BlockResources& block) {
  cudaOccResult result{};
  int blocks = expected(device, block, &result);
  Occupancy ours = occupancy_of(device, block);
  SCOPED_TRACE(testing::Message() << device.id << ": " << block.threads << " threads, " << block.registers
                                  << " registers, " << block.static_shared << " + " << block.dynamic_shared
                                  << " bytes of shared memory of " << block.shared_limit << ", " << block.barriers
                                  << " barriers, carve-out " << block.carveout_percent);
  EXPECT_GE(blocks, 0) << "the calculator refuses the configuration";
  EXPECT_EQ(ours.blocks, static_cast<unsigned>(blocks));
  agree(ours.by(OccupancyLimit::Warps), result.blockLimitWarps, "warps");
  agree(ours.by(OccupancyLimit::BlockSlots), result.blockLimitBlocks, "block slots");
  agree(ours.by(OccupancyLimit::Registers), result.blockLimitRegs, "registers");
  agree(ours.by(OccupancyLimit::SharedMemory), result.blockLimitSharedMem, "shared memory");
  agree(ours.by(OccupancyLimit::Barriers), result.blockLimitBarriers, "barriers");
  EXPECT_EQ(ours.registers_per_block, static_cast<unsigned>(result.allocatedRegistersPerBlock));
  EXPECT_EQ(ours.shared_per_block, result.allocatedSharedMemPerBlock);
  return !testing::Test::HasFailure();
}

TEST(OccupancySweep, agrees_with_the_toolkit_on_random_blocks) {
  std::mt19937 random(20240501);
  auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  unsigned ran = 0;
  constexpr unsigned kConfigurations = 100000;
  for (unsigned i = 0; i < kConfigurations; ++i) {
    const Properties& device = all_devices()[i % all_devices().size()];
    BlockResources block;
    block.threads = 1 + below(1100);
    if (i % 2) block.threads = 32 * (1 + below(32));
    block.registers = below(260);
    block.shared_limit = i % 3 ? device.shared_per_block_optin_bytes : device.shared_per_block_bytes;
    if (i % 5) block.static_shared = below(i % 7 ? 16 << 10 : 49153);
    if (i % 4) block.dynamic_shared = below(i % 11 ? 64 << 10 : 230 << 10);
    block.barriers = below(17);
    block.carveout_percent = i % 6 ? -1 : static_cast<int>(below(101));
    ran += occupancy_of(device, block).blocks > 0;
    if (!compare(device, block)) FAIL() << "configuration " << i;
  }
  EXPECT_GT(ran, kConfigurations / 4) << "most configurations cannot run: the sweep says little";
}

TEST(OccupancySweep, agrees_with_the_toolkit_at_every_register_count_and_warp_count) {
  for (const Properties& device : all_devices())
    for (unsigned warps = 1; warps <= 32; ++warps)
      for (unsigned registers = 0; registers <= 258; ++registers)
        if (!compare(device, {.threads = 32 * warps, .registers = registers})) FAIL();
}

}  // namespace
}  // namespace warpwise::device
