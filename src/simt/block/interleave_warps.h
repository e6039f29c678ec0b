// Warp interleaving: several warps of a region run together, instruction by instruction.
//
// A region between barriers is run by one warp after the other. Where all warps take the same path through it, several
// can be interleaved. What they read from the same place (a row of B, an element of a tile) is read once for all, and
// the dependent multiply-adds of one warp fill the time in which those of another wait. Programs may not rely on an
// order of the instructions of different threads, so any program may be run this way.
//
//   i32 @region(ptr block, i32 warp, …)   →   the same signature, for warps warp … warp + count - 1
//
// Warps are not interleaved where they diverge at a branch. (The guards of memory accesses do not count: their cold
// side is right for every warp.) Nor are they where something happens that other threads see at once (services,
// atomics, fences), or where an update of memory takes a load and a store.
#pragma once

#include <llvm/IR/Function.h>

#include <vector>

#include "simt/block/transpose_scatters.h"

namespace warpwise::simt {

// Marks the branch between an access by pattern (first successor) and by exact addresses: the second is
// right for any lane, so all interleaved warps go there as soon as one of them must.
constexpr const char* kGuardBranch = "ww.guard";

struct RegionArguments {
  llvm::Argument* warp;
  llvm::Argument* frame;  // of the first warp; the others follow
  uint64_t frame_bytes;   // of one warp
};

// Marks the load and the store of an update of memory between which no other warp's instructions may come.
constexpr const char* kUpdate = "ww.update";

// How many warps (a divisor of `warps`) are worth interleaving: 1 when it does not pay or is not possible.
unsigned interleaved_warps(llvm::Function& region, const RegionArguments& arguments, unsigned warps);

// Makes `region`, for which interleaved_warps said `count`, a region of that many warps. Returns the scatters that
// could be merged.
std::vector<SideBySide> interleave_warps(llvm::Function& region, const RegionArguments& arguments, unsigned count);

}  // namespace warpwise::simt
