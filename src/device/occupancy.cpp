#include "device/occupancy.h"

#include <algorithm>
#include <iterator>

#include "base/round_up.h"

namespace warpwise::device {
namespace {

constexpr unsigned kRegisterUnit = 256;

// The partitions of a multiprocessor, each with its registers and scheduler.
unsigned partitions(const Properties& device) { return device.major == 6 && device.minor == 0 ? 2 : 4; }
// The calculator's limit; an instruction can name 255.
unsigned most_registers(const Properties& device) { return device.major < 7 ? 255 : 256; }

size_t shared_unit(const Properties& device) { return device.major >= 8 ? 128 : 256; }

unsigned limit_by_registers(const Properties& device, const BlockResources& block, unsigned warps) {
  if (block.registers == 0) return Occupancy::kNoLimit;
  if (block.registers > most_registers(device)) return 0;
  const unsigned parts = partitions(device);
  size_t per_warp = round_up(size_t{block.registers} * device.kWarpSize, kRegisterUnit);
  // The check of a launch gives registers to all partitions at once, and always assumes four.
  constexpr unsigned kChecked = 4;
  if (per_warp * round_up(warps, kChecked) > device.registers_per_block) return 0;
  size_t warps_per_partition = device.registers_per_sm / parts / per_warp;
  return static_cast<unsigned>(parts * warps_per_partition / warps);
}

// The requested carve-out, or the next that exists; one that cannot hold a single block grows until it does.
size_t shared_of_multiprocessor(const Properties& device, const BlockResources& block, size_t per_block) {
  size_t wanted = device.shared_per_sm_bytes;
  if (device.major < 7) return wanted;  // memory of its own, nothing to carve out
  if (block.carveout_percent >= 0) wanted = wanted * static_cast<unsigned>(std::min(block.carveout_percent, 100)) / 100;
  std::span<const unsigned> sizes = shared_carveouts(device);
  auto at_least = [&](size_t bytes) -> size_t {
    auto found = std::lower_bound(sizes.begin(), sizes.end(), bytes);
    return found == sizes.end() ? device.shared_per_sm_bytes : *found;
  };
  size_t preferred = at_least(wanted);
  return preferred >= per_block ? preferred : at_least(per_block);
}

unsigned limit_by_shared(const BlockResources& block, const Occupancy& occupancy) {
  if (block.static_shared + block.dynamic_shared > block.shared_limit) return 0;
  if (occupancy.shared_per_block == 0) return Occupancy::kNoLimit;
  return static_cast<unsigned>(occupancy.shared_per_sm / occupancy.shared_per_block);
}

// Since 9.0 a multiprocessor's named barriers are counted: two for each block slot, one on the smaller chips.
unsigned limit_by_barriers(const Properties& device, const BlockResources& block) {
  if (block.barriers == 0 || device.major < 9) return Occupancy::kNoLimit;
  bool two = device.major == 9 || (device.major == 10 && device.minor != 1);
  return device.blocks_per_sm * (two ? 2 : 1) / block.barriers;
}

}  // namespace

std::string_view name_of(OccupancyLimit limit) {
  switch (limit) {
    case OccupancyLimit::BlockSlots:
      return "block slots";
    case OccupancyLimit::Warps:
      return "warp slots";
    case OccupancyLimit::Registers:
      return "registers";
    case OccupancyLimit::SharedMemory:
      return "shared memory";
    case OccupancyLimit::Barriers:
      return "barriers";
  }
  return "";
}

std::span<const unsigned> shared_carveouts(const Properties& device) {
  static constexpr unsigned kKiB = 1024;
  static constexpr unsigned kTuring[] = {32 * kKiB, 64 * kKiB};
  static constexpr unsigned kVolta[] = {0, 8 * kKiB, 16 * kKiB, 32 * kKiB, 64 * kKiB, 96 * kKiB};
  // The list of later devices; other devices have its beginning, up to their total.
  static constexpr unsigned kLater[] = {0,          8 * kKiB,   16 * kKiB,  32 * kKiB,  64 * kKiB,
                                        100 * kKiB, 132 * kKiB, 164 * kKiB, 196 * kKiB, 228 * kKiB};
  if (device.major < 7) return {&device.shared_per_sm_bytes, 1};
  if (device.major == 7)
    return device.minor == 5 ? std::span<const unsigned>(kTuring) : std::span<const unsigned>(kVolta);
  auto end = std::upper_bound(std::begin(kLater), std::end(kLater), device.shared_per_sm_bytes);
  return {std::begin(kLater), end};
}

Occupancy occupancy_of(const Properties& device, const BlockResources& block) {
  Occupancy result;
  if (block.threads == 0) return result;
  result.warps_per_block = (block.threads + device.kWarpSize - 1) / device.kWarpSize;
  result.registers_per_block =
      static_cast<unsigned>(round_up(size_t{block.registers} * device.kWarpSize, kRegisterUnit)) *
      result.warps_per_block;
  result.shared_per_block = round_up(
      block.static_shared + block.dynamic_shared + device.reserved_shared_per_block_bytes, shared_unit(device));
  result.shared_per_sm = shared_of_multiprocessor(device, block, result.shared_per_block);

  auto set = [&](OccupancyLimit limit, unsigned blocks) { result.allowed[static_cast<unsigned>(limit)] = blocks; };
  set(OccupancyLimit::BlockSlots, device.blocks_per_sm);
  set(OccupancyLimit::Warps,
      block.threads > device.kMaxThreadsPerBlock ? 0 : device.warps_per_sm() / result.warps_per_block);
  set(OccupancyLimit::Registers, limit_by_registers(device, block, result.warps_per_block));
  set(OccupancyLimit::SharedMemory, limit_by_shared(block, result));
  set(OccupancyLimit::Barriers, limit_by_barriers(device, block));
  result.blocks = *std::min_element(std::begin(result.allowed), std::end(result.allowed));
  result.fraction = double(result.warps()) / device.warps_per_sm();
  return result;
}

unsigned blocks_per_multiprocessor(const Properties& device, const BlockResources& block) {
  return occupancy_of(device, block).blocks;
}

size_t dynamic_shared_for(const Properties& device, const BlockResources& block, unsigned blocks) {
  BlockResources bare = block;
  bare.dynamic_shared = 0;
  if (blocks == 0 || blocks > blocks_per_multiprocessor(device, bare)) return 0;
  size_t share = device.shared_per_sm_bytes / blocks / shared_unit(device) * shared_unit(device);
  size_t kept = device.reserved_shared_per_block_bytes + block.static_shared;
  return std::min(share - std::min(share, kept), block.shared_limit - block.static_shared);
}

}  // namespace warpwise::device
