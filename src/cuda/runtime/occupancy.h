// How many blocks of a kernel one multiprocessor holds at once: the rules of CUDA's occupancy calculator.
//
//     blocks = min of what these allow
//       block slots     the device's limit
//       warp slots      warps of the multiprocessor / warps of the block
//       registers       handed out per warp in units of 256, from four equal parts of the register file
//       shared memory   static + dynamic + what the system keeps, in units of 128 bytes (256 before 8.0)
//
// The register count of a kernel is an estimate unless ptxas was asked (device::KernelInfo), so results
// that hang on registers may differ from a real device's.
// (Source: CUDA programming guide, technical specifications per compute capability, and the toolkit's
// documented occupancy calculator.)
#pragma once

#include <cstddef>

#include "device/properties.h"

namespace warpwise::cuda {

struct BlockResources {
  unsigned threads = 0;            // of a block
  unsigned registers = 0;          // of a thread; 0: not known, no limit
  size_t static_shared = 0;        // bytes of a block
  size_t dynamic_shared = 0;
  size_t shared_limit = 49152;     // what a block of this kernel may have, static and dynamic
};

// 0: the block cannot run at all.
unsigned blocks_per_multiprocessor(const device::Properties& device, const BlockResources& block);

// The dynamic shared memory each of `blocks` blocks can have when so many share a multiprocessor.
size_t dynamic_shared_for(const device::Properties& device, const BlockResources& block, unsigned blocks);

}  // namespace warpwise::cuda
