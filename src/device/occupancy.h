// How many blocks of a kernel one multiprocessor holds at once: the rules of CUDA's occupancy calculator.
//
//     blocks = the minimum of these limits
//       block slots     the device's limit
//       warp slots      warps of the multiprocessor / warps of the block
//       registers       allocated per warp in units of 256, from four equal parts of the register file
//       shared memory   static + dynamic + the system's own, in units of 128 bytes (256 before 8.0), from
//                       the carve-out's share of the memory that L1 and shared memory divide
//       barriers        since 9.0: two named barriers for each block slot, one on the smaller chips
//
// The register count of a kernel is an estimate unless ptxas was asked (device::KernelInfo), so results that depend on
// registers may differ from those of a real device. tests/device/occupancy_sweep.cpp compares these rules with the
// toolkit's own calculator. (Source: CUDA programming guide, technical specifications per compute capability, and the
// calculator that the toolkit documents and ships as cuda_occupancy.h.)
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "device/properties.h"

namespace warpwise::device {

struct BlockResources {
  unsigned threads = 0;      // of a block
  unsigned registers = 0;    // of a thread; 0: not known, no limit
  size_t static_shared = 0;  // bytes of a block
  size_t dynamic_shared = 0;
  size_t shared_limit = 49152;  // the shared memory that a block of this kernel may have, static and dynamic
  unsigned barriers = 1;        // named barriers of a block; __syncthreads() is one
  int carveout_percent = -1;    // cudaFuncAttributePreferredSharedMemoryCarveout; -1: as much as exists
};

enum class OccupancyLimit { BlockSlots, Warps, Registers, SharedMemory, Barriers };
inline constexpr OccupancyLimit kOccupancyLimits[] = {OccupancyLimit::BlockSlots, OccupancyLimit::Warps,
                                                      OccupancyLimit::Registers, OccupancyLimit::SharedMemory,
                                                      OccupancyLimit::Barriers};
std::string_view name_of(OccupancyLimit limit);  // "registers"

// The result with its reasons.
struct Occupancy {
  static constexpr unsigned kNoLimit = ~0u;

  unsigned allowed[std::size(kOccupancyLimits)] =
      {};               // blocks, by each of kOccupancyLimits; 0: such a block cannot run
  unsigned blocks = 0;  // the least of them
  unsigned warps_per_block = 0;
  unsigned registers_per_block = 0;  // including rounding to the allocation unit
  size_t shared_per_block = 0;       // including rounding and the system's own
  size_t shared_per_sm = 0;          // what the carve-out leaves to shared memory
  double fraction = 0;               // warps / warps that the multiprocessor could hold

  unsigned by(OccupancyLimit limit) const { return allowed[static_cast<unsigned>(limit)]; }
  bool limited_by(OccupancyLimit limit) const { return by(limit) == blocks; }
  unsigned warps() const { return blocks * warps_per_block; }
};

Occupancy occupancy_of(const Properties& device, const BlockResources& block);

// The `blocks` of the result. 0: the block cannot run at all.
unsigned blocks_per_multiprocessor(const Properties& device, const BlockResources& block);

// The dynamic shared memory that each block can have when `blocks` blocks share a multiprocessor.
size_t dynamic_shared_for(const Properties& device, const BlockResources& block, unsigned blocks);

// The sizes, in bytes and ascending, that the carve-out of shared memory can have on the device.
std::span<const unsigned> shared_carveouts(const Properties& device);

}  // namespace warpwise::device
