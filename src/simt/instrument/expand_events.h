// What widening left of notices (events.h) becomes calls of Services::notice.
//
// Until here a notice is one call with vectors as arguments, behind a branch that is hardly ever taken, so that regions
// are laid out side by side in gangs as if nothing were watched: a gang calls for each of its warps as soon as one of
// them has something to tell, and the service does nothing where no lane has.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace warpwise::simt {

// v(ptr block, i32 warp, i32 lanes, i32 what, <32 x i64> addresses, <32 x i64> values, i32 site)
constexpr const char* kTold = "ww.told";

inline bool is_told(const llvm::CallInst& call) {
  return call.getCalledFunction() && call.getCalledFunction()->getName() == kTold;
}

llvm::FunctionCallee told(llvm::Module& module);

// The warps of `region` meet at once at each barrier, and the block tells of that (BarrierOf).
void leave_barriers_to_block(llvm::Function& region);

// `function` runs a whole block; its first argument is the BlockContext.
void expand_events(llvm::Function& function);

}  // namespace warpwise::simt
