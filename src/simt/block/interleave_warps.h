// Gangs: several warps of a region side by side.
//
// A region between barriers is run by one warp after the other. Where all warps take the same way through it,
// several can be run together, instruction by instruction: what they read from the same place (a row of B, an
// element of a tile) is read once for all, and the chains of dependent multiply-adds of one warp fill the
// time in which those of another wait. The order of instructions of different threads is nobody's promise,
// so any program may be run so.
//
//   i32 @region(ptr block, i32 warp, …)   →   the same signature, for warps warp … warp + count - 1
//
// A gang is refused where warps part at a branch (but for the guards of memory accesses, whose cold side is
// right for everybody), and where something happens that others see at once (services, atomics, fences), or updates
// of memory take a load and a store.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

// Marks the branch between an access by pattern (first successor) and by exact addresses: the second is
// right for any lane, so a gang goes there as soon as one of its warps must.
constexpr const char* kGuardBranch = "ww.guard";

struct RegionArguments {
  llvm::Argument* warp;
  llvm::Argument* frame;  // of the first warp; the others follow
  uint64_t frame_bytes;   // of one warp
};

// Marks the load and the store of an update of memory between which no other warp's instructions may come.
constexpr const char* kUpdate = "ww.update";

// How many warps (a divisor of `warps`) are worth a gang: 1 when none is, or when it cannot be had.
unsigned interleaved_warps(llvm::Function& region, const RegionArguments& arguments, unsigned warps);

// Makes `region`, for which interleaved_warps said `count`, a region of that many warps.
void interleave_warps(llvm::Function& region, const RegionArguments& arguments, unsigned count);

}  // namespace warpwise::simt
