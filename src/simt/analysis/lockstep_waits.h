// May the lanes of a warp stay in lockstep although warps wait for each other at mbarriers?
//
// In independent-warp mode a lane that has left the others waits for them at the reconvergence point. On a GPU it could
// run ahead meanwhile. The kernel would notice only if a lane of the same warp waited for what that lane does ahead:
//
//     if (lane == 0) wait(full);               // lane 0 waits for lane 1,
//     if (lane == 1) arrive(full);             // which waits for lane 0 at the end of the first `if`
//
// This analysis allows waits of two kinds:
//
//   together   all lanes of the warp wait for the same phase: no lane has anything left to do before it
//   by one     one lane waits alone, the way that producers do, and no other single lane, nor some of the lanes, ever
//              arrives or requests a copy. What the whole warp does later includes the lane that waits.
//
// Everything else is refused, though it might work.
#pragma once

#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

#include <optional>

#include "simt/analysis/control_plan.h"
#include "simt/analysis/lane_shapes.h"

namespace warpwise::simt {

class LockstepWaits {
 public:
  LockstepWaits(llvm::Function& function, const LaneShapes& shapes, const ControlPlan& plan)
      : function_(function), shapes_(shapes), plan_(plan), dominators_(function) {}

  // An instruction for which lanes of one warp may have to run apart, and why.
  struct Problem {
    const llvm::Instruction* at;
    const char* why;  // "lanes of one warp may wait for different phases of mbarriers"
  };
  // Nothing: they can stay together.
  std::optional<Problem> problem() const;

 private:
  // The one lane that may run a block; nothing: several may, or it is not known which.
  std::optional<unsigned> only_lane(const llvm::BasicBlock* block) const;
  std::optional<unsigned> lane_for_which(llvm::Value* condition, bool holds, unsigned depth = 0) const;
  std::optional<unsigned> lane_where_equal(llvm::Value* a, llvm::Value* b) const;

  llvm::Function& function_;
  const LaneShapes& shapes_;
  const ControlPlan& plan_;
  llvm::DominatorTree dominators_;
};

}  // namespace warpwise::simt
