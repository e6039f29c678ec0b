// Expands the events of a warp (events.h) to calls of Services::event, at the end.
//
// Until here an event is one call of ww.report with vectors as arguments, behind a branch that is hardly ever taken.
// Warps are therefore interleaved as in code without checks. Interleaved warps all call as soon as one of them has an
// event, and the service does nothing for a warp without lanes.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace warpwise::simt {

// v(ptr block, i32 warp, i32 lanes, i32 what, <32 x i64> addresses, <32 x i64> values, i32 site)
constexpr const char* kReport = "ww.report";

inline bool is_report(const llvm::CallInst& call) {
  return call.getCalledFunction() && call.getCalledFunction()->getName() == kReport;
}

llvm::FunctionCallee report_function(llvm::Module& module);

// All warps of `region` wait at each barrier together, and the block reports it once (event::Barrier::Of).
void leave_barriers_to_block(llvm::Function& region);

// `function` runs a whole block; its first argument is the BlockContext.
void expand_events(llvm::Function& function);

}  // namespace warpwise::simt
