// Merges adjacent scatters of interleaved warps.
//
//     out[x * n + y] = v          lanes are x, a column apart; warps are y, neighbours
//
// A warp's store is a scatter: 32 cache lines, four bytes each, and the next warp writes the same lines again. Eight
// interleaved warps hold eight neighbours for each line. Where the addresses say so (tested at run time: one comparison
// for eight lanes) the values are transposed in registers, and each lane's line is written once. A straightforward
// matrix transposition takes a sixth of the time: lines a power of two apart share few sets of the cache and do not
// stay until the next warp runs.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IntrinsicInst.h>

namespace warpwise::simt {

// How many warps are merged; so many warps with scatters should be interleaved.
constexpr unsigned kMergedWarps = 8;

// A scatter whose neighbours could be merged: elements of 32 bits, a register of addresses.
bool is_mergeable_scatter(const llvm::Instruction& i);

// scatters[g]: warp g's copy of one scatter, one behind the other in one basic block.
using SideBySide = llvm::SmallVector<llvm::IntrinsicInst*, kMergedWarps>;

// False, and nothing is done, unless there are kMergedWarps of them.
bool transpose_scatters(const SideBySide& scatters);

}  // namespace warpwise::simt
