// Loads of shared memory that ptxas fuses into a wider one.
//
//     ld.shared.f32 %f1, [%r1];         one LDS.128, if %r1 is a multiple of 16 and nothing
//     ld.shared.f32 %f2, [%r1+4];       between the four can change shared memory
//     ld.shared.f32 %f3, [%r1+8];
//     ld.shared.f32 %f4, [%r1+12];
//
// Neither Clang nor nvcc's own optimiser does this in PTX; ptxas does (S. Boehm, "How to Optimize a CUDA Matmul
// Kernel", shows the LDS.128 of such loads in SASS). The load/store units then take one instruction instead of four,
// which matters for kernels with small tiles in registers, and the banks serve one wide access. Whether registers
// suffice is known to ptxas only: this is an estimate. Loads are counted as they are in PTX; the wavefronts are those
// of the wide load.
//
// The alignment of an address follows from its definitions: shl, mul and mad by constants, and, or, add. Loops are
// assumed to keep it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ptx/module.h"

namespace warpwise::perf {

// For each instruction of the function how many words it loads for itself and others: 1 if it is not fused or not such
// a load, 2 or 4 if others are fused into it, 0 if it is one of those. `starts`: the first instruction of its basic
// block.
std::vector<uint8_t> words_of_loads(const ptx::Function& function, std::span<const uint32_t> starts);

}  // namespace warpwise::perf
