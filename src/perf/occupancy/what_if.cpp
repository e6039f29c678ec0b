#include "perf/occupancy/what_if.h"

#include <algorithm>

namespace warpwise::perf {

using device::BlockResources;
using device::Occupancy;
using device::OccupancyLimit;
using device::Properties;

namespace {

// Keeps, for each number of blocks, the largest value that still gives it. `try_value` gets rising values.
template <class Try>
std::vector<OccupancyStep> steps(size_t first, size_t last, size_t unit, Try try_value) {
  std::vector<OccupancyStep> result;
  for (size_t value = first; value <= last; value += unit) {
    Occupancy occupancy = try_value(value);
    if (occupancy.blocks == 0) break;
    if (!result.empty() && result.back().occupancy.blocks == occupancy.blocks) result.pop_back();
    result.push_back({value, occupancy});
  }
  return result;
}

constexpr unsigned kMaxRegisters = 255;

}  // namespace

std::vector<OccupancyStep> register_steps(const Properties& device, BlockResources block) {
  return steps(1, kMaxRegisters, 1, [&](size_t registers) {
    block.registers = static_cast<unsigned>(registers);
    return occupancy_of(device, block);
  });
}

std::vector<OccupancyStep> shared_steps(const Properties& device, BlockResources block) {
  size_t unit = device.major >= 8 ? 128 : 256;
  return steps(0, device.shared_per_block_optin_bytes, unit, [&](size_t bytes) {
    block.static_shared = 0;
    block.dynamic_shared = bytes;
    block.shared_limit = device.shared_per_block_optin_bytes;
    return occupancy_of(device, block);
  });
}

std::vector<OccupancyStep> block_size_steps(const Properties& device, BlockResources block) {
  std::vector<unsigned> sizes = {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024, block.threads};
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  std::vector<OccupancyStep> result;
  for (unsigned threads : sizes) {
    block.threads = threads;
    result.push_back({threads, occupancy_of(device, block)});
  }
  return result;
}

std::vector<OccupancyChange> better_occupancies(const Properties& device, const BlockResources& block) {
  Occupancy now = occupancy_of(device, block);
  std::vector<OccupancyChange> result;
  // The largest value below the present one that holds more warps.
  auto lower = [&](OccupancyLimit resource, size_t from, const std::vector<OccupancyStep>& steps) {
    for (auto step = steps.rbegin(); step != steps.rend(); ++step)
      if (step->value < from && step->occupancy.warps() > now.warps()) {
        result.push_back({resource, from, step->value, step->occupancy});
        return;
      }
  };
  lower(OccupancyLimit::Registers, block.registers, register_steps(device, block));
  lower(OccupancyLimit::SharedMemory, block.static_shared + block.dynamic_shared, shared_steps(device, block));

  // The block size with the most warps, of those the nearest.
  auto distance = [&](size_t threads) {
    return threads > block.threads ? threads - block.threads : block.threads - threads;
  };
  const OccupancyStep* best = nullptr;
  std::vector<OccupancyStep> sizes = block_size_steps(device, block);
  for (const OccupancyStep& step : sizes) {
    if (step.occupancy.warps() <= now.warps()) continue;
    if (!best || step.occupancy.warps() > best->occupancy.warps() ||
        (step.occupancy.warps() == best->occupancy.warps() && distance(step.value) < distance(best->value)))
      best = &step;
  }
  if (best) result.push_back({OccupancyLimit::Warps, block.threads, best->value, best->occupancy});
  return result;
}

}  // namespace warpwise::perf
