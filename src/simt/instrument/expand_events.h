// Turns each ww.report, an event of a warp (events.h), into a call of Services::event. Runs after warps have been
// interleaved.
//
// Until here an event is one call of ww.report with vectors as arguments, behind a branch that is hardly ever taken.
// So events do not hinder the interleaving of warps. Interleaved warps all call as soon as one of them has an
// event, and the service does nothing for a warp without lanes.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace warpwise::simt {

// void (ptr block, i32 warp, i32 lanes, i32 event, <32 x i64> addresses, <32 x i64> values, i32 site): `lanes` is a
// mask, `event` is made by pack().
constexpr const char* kReport = "ww.report";

inline bool is_report(const llvm::CallInst& call) {
  return call.getCalledFunction() && call.getCalledFunction()->getName() == kReport;
}

llvm::FunctionCallee report_function(llvm::Module& module);

// For regions where all warps wait at each barrier together: marks the warps' barrier events as
// Barrier::Of::WarpOfBlock, because walk_warps reports each barrier once for the block.
void mark_barriers_as_reported_by_block(llvm::Function& region);

// `function` runs a block or one warp. Its first argument is the BlockContext.
void expand_events(llvm::Function& function);

}  // namespace warpwise::simt
