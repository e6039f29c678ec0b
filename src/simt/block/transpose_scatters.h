// Scatters of a gang that lie side by side.
//
//     out[x * n + y] = v          lanes are x, a column apart; warps are y, neighbours
//
// A warp's store is a scatter: 32 cache lines, four bytes each, and the next warp's touches the same lines again. A
// gang of eight warps holds eight neighbours for each line. Where the addresses say so (asked at run time: one
// comparison for eight lanes) the values are transposed in registers and each lane's line is touched once. The
// transposition of a matrix, straight, takes a sixth of the time: lines a power of two apart share few sets of the
// cache and do not stay until the next warp comes.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IntrinsicInst.h>

namespace warpwise::simt {

// Warps that are merged: a gang that scatters should have that many.
constexpr unsigned kMergedWarps = 8;

// A scatter whose neighbours could be merged: elements of 32 bits, a register of addresses.
bool is_mergeable_scatter(const llvm::Instruction& i);

// scatters[g]: warp g's copy of one scatter, one behind the other in one block. Nothing happens when they are no
// kMergedWarps.
void transpose_scatters(llvm::ArrayRef<llvm::IntrinsicInst*> scatters);

}  // namespace warpwise::simt
