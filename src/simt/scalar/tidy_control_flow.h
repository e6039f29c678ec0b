// Brings control flow and pointers into the form that ControlPlan (analysis/control_plan.h) and LaneShapes
// (analysis/lane_shapes.h) rely on:
//
//   - one return, no switch, no `unreachable`; loops are reducible, in LoopSimplify form and LCSSA;
//   - every access has an inttoptr of its own beside it: only integers cross blocks, since addresses are arithmetic and
//     lane shapes are found in arithmetic;
//   - no phi of pairs: a dialect call that returns {a, b} is followed by extractvalue, and phis join the fields.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

void tidy_control_flow(llvm::Function& function);

}  // namespace warpwise::simt
