// What would change the occupancy of a kernel: a table for the result of device/occupancy.h.
//
//     registers  40 -> 32      8 blocks, 100 %     the most registers that allow one more block
//     block     768 -> 512     4 blocks, 100 %
//
// Only the values at which occupancy changes are listed: a reader needs to know where the next step is.
#pragma once

#include <vector>

#include "device/occupancy.h"

namespace warpwise::perf {

// A value of one resource and the resulting occupancy.
struct OccupancyStep {
  size_t value = 0;
  device::Occupancy occupancy;
};

// The most registers a thread may use for each number of resident blocks, from many blocks to one.
std::vector<OccupancyStep> register_steps(const device::Properties& device, device::BlockResources block);

// The same for the shared memory of a block, static and dynamic together, in bytes.
std::vector<OccupancyStep> shared_steps(const device::Properties& device, device::BlockResources block);

// Blocks of 32, 64, 128 … 1024 threads, and of block.threads.
std::vector<OccupancyStep> block_size_steps(const device::Properties& device, device::BlockResources block);

// The change of one resource alone that raises occupancy with the smallest change: empty when none does.
struct OccupancyChange {
  device::OccupancyLimit resource;
  size_t from = 0, to = 0;
  device::Occupancy occupancy;
};
std::vector<OccupancyChange> better_occupancies(const device::Properties& device, const device::BlockResources& block);

}  // namespace warpwise::perf
