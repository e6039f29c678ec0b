// How many blocks of a kernel one multiprocessor holds at once: the rules of CUDA's occupancy calculator.
//
//     blocks = min of what these allow
//       block slots     the device's limit
//       warp slots      warps of the multiprocessor / warps of the block
//       registers       handed out per warp in units of 256, from four equal parts of the register file
//       shared memory   static + dynamic + what the system keeps, in units of 128 bytes (256 before 8.0), from
//                       what the carve-out takes of the memory that L1 and shared memory divide
//       barriers        since 9.0: two named barriers for each block slot, one on the smaller chips
//
// The register count of a kernel is an estimate unless ptxas was asked (device::KernelInfo), so results
// that hang on registers may differ from a real device's. tests/device/occupancy_sweep.cpp holds these rules
// against the toolkit's own calculator.
// (Source: CUDA programming guide, technical specifications per compute capability, and the calculator
// that the toolkit documents and ships as cuda_occupancy.h.)
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
  size_t shared_limit = 49152;  // what a block of this kernel may have, static and dynamic
  unsigned barriers = 1;        // named barriers of a block; __syncthreads() is one
  int carveout_percent = -1;    // cudaFuncAttributePreferredSharedMemoryCarveout; -1: as much as there is
};

enum class OccupancyLimit { BlockSlots, Warps, Registers, SharedMemory, Barriers };
inline constexpr OccupancyLimit kOccupancyLimits[] = {OccupancyLimit::BlockSlots, OccupancyLimit::Warps,
                                                      OccupancyLimit::Registers, OccupancyLimit::SharedMemory,
                                                      OccupancyLimit::Barriers};
std::string_view name_of(OccupancyLimit limit);  // "registers"

// The answer with its reasons.
struct Occupancy {
  static constexpr unsigned kNoLimit = ~0u;

  unsigned allowed[std::size(kOccupancyLimits)] =
      {};               // blocks, by each of kOccupancyLimits; 0: such a block cannot run
  unsigned blocks = 0;  // the least of them
  unsigned warps_per_block = 0;
  unsigned registers_per_block = 0;  // as they are handed out
  size_t shared_per_block = 0;       // as it is handed out, with what the system keeps
  size_t shared_per_sm = 0;          // what the carve-out leaves to shared memory
  double fraction = 0;               // warps / warps that the multiprocessor could hold

  unsigned by(OccupancyLimit limit) const { return allowed[static_cast<unsigned>(limit)]; }
  bool limited_by(OccupancyLimit limit) const { return by(limit) == blocks; }
  unsigned warps() const { return blocks * warps_per_block; }
};

Occupancy occupancy_of(const Properties& device, const BlockResources& block);

// Its `blocks`. 0: the block cannot run at all.
unsigned blocks_per_multiprocessor(const Properties& device, const BlockResources& block);

// The dynamic shared memory each of `blocks` blocks can have when so many share a multiprocessor.
size_t dynamic_shared_for(const Properties& device, const BlockResources& block, unsigned blocks);

// The sizes, in bytes and rising, that the carve-out of shared memory can have on the device.
std::span<const unsigned> shared_carveouts(const Properties& device);

}  // namespace warpwise::device
