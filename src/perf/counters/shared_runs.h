// Loads of shared memory that ptxas makes part of a wider one.
//
//     ld.shared.f32 %f1, [%r1];         one LDS.128, if %r1 is a multiple of 16 and nothing
//     ld.shared.f32 %f2, [%r1+4];       between the four can change shared memory
//     ld.shared.f32 %f3, [%r1+8];
//     ld.shared.f32 %f4, [%r1+12];
//
// Neither Clang nor nvcc's own optimiser does this in PTX; ptxas does (S. Boehm, "How to Optimize a CUDA Matmul Kernel", shows the
// LDS.128 of such loads in SASS). How many passes the data takes is the same, but the load/store units take one instruction instead of
// four, and that is what limits kernels with small tiles in registers. Whether registers suffice is ptxas's secret: this is an
// estimate, and the counters keep every load.
//
// The alignment of an address is what its definitions say: shl, mul and mad by constants, and, or, add. Loops are taken to keep it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ptx/module.h"

namespace warpwise::perf {

// For each instruction of the function: whether it rides along with another. `starts`: the first instruction of its basic block.
std::vector<bool> riding_loads(const ptx::Function& function, std::span<const uint32_t> starts);

}  // namespace warpwise::perf
