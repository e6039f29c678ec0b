#include "cuda/runtime/occupancy.h"

#include <algorithm>

namespace warpwise::cuda {

namespace {

constexpr unsigned kPartitions = 4;  // of a multiprocessor, each with its registers and scheduler
constexpr unsigned kRegisterUnit = 256;
constexpr unsigned kMaxRegistersPerThread = 255;

constexpr size_t round_up(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

size_t shared_unit(const device::Properties& device) { return device.major >= 8 ? 128 : 256; }

unsigned limit_by_registers(const device::Properties& device, const BlockResources& block, unsigned warps) {
  if (block.registers == 0) return device.blocks_per_sm;
  if (block.registers > kMaxRegistersPerThread) return 0;
  size_t per_warp = round_up(size_t{block.registers} * device.kWarpSize, kRegisterUnit);
  // A block's warps are spread over the partitions evenly.
  if (per_warp * round_up(warps, kPartitions) > device.registers_per_block) return 0;
  size_t warps_per_partition = device.registers_per_sm / kPartitions / per_warp;
  return static_cast<unsigned>(kPartitions * warps_per_partition / warps);
}

unsigned limit_by_shared(const device::Properties& device, const BlockResources& block) {
  size_t asked = block.static_shared + block.dynamic_shared;
  if (asked > block.shared_limit) return 0;
  size_t taken = round_up(asked + device.reserved_shared_per_block_bytes, shared_unit(device));
  return taken ? static_cast<unsigned>(device.shared_per_sm_bytes / taken) : device.blocks_per_sm;
}

}  // namespace

unsigned blocks_per_multiprocessor(const device::Properties& device, const BlockResources& block) {
  if (block.threads == 0 || block.threads > device.kMaxThreadsPerBlock) return 0;
  unsigned warps = (block.threads + device.kWarpSize - 1) / device.kWarpSize;
  return std::min({device.blocks_per_sm, device.warps_per_sm() / warps, limit_by_registers(device, block, warps),
                   limit_by_shared(device, block)});
}

size_t dynamic_shared_for(const device::Properties& device, const BlockResources& block, unsigned blocks) {
  BlockResources bare = block;
  bare.dynamic_shared = 0;
  if (blocks == 0 || blocks > blocks_per_multiprocessor(device, bare)) return 0;
  size_t share = device.shared_per_sm_bytes / blocks / shared_unit(device) * shared_unit(device);
  size_t kept = device.reserved_shared_per_block_bytes + block.static_shared;
  return std::min(share - std::min(share, kept), block.shared_limit - block.static_shared);
}

}  // namespace warpwise::cuda
