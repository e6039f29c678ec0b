// Loops whose threads meet at a barrier in each turn, and the numbers that their counters go through.
//
//     for (int offset = 128; offset > 0; offset /= 2) {
//       if (t < offset) sum[t] += sum[t + offset];
//       __syncthreads();
//     }
//
// Between two barriers all threads are in one turn, so that two accesses of it are made with one and the same `offset`.
// Where the counter begins with a number of the compiled code, and each number follows from the one before, there are
// few of them: what is asked of two accesses is asked for each.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <memory>
#include <optional>
#include <vector>

#include "simt/analysis/affine_values.h"
#include "simt/analysis/lane_shapes.h"

namespace warpwise::simt {

class BarrierLoops {
 public:
  // ranges: as for AffineValues.
  BarrierLoops(llvm::Function& function, const BlockShape& block, bool ranges);

  using Turns = std::vector<std::unique_ptr<AffineValues>>;
  // What the kernel computes in each turn of the innermost loop around two accesses, if threads that make them between
  // the same two barriers are in the same turn. Null where that, or the counter, is not known.
  const Turns* turns_of(llvm::Instruction& a, llvm::Instruction& b);
  // Whether threads may wait for each other at different barriers, or in different turns of a loop.
  bool may_meet_elsewhere();

 private:
  bool waits_for_all(const llvm::Instruction& barrier) const;
  bool meets_in_each_turn(const llvm::Loop& loop) const;
  bool reaches_next_turn(llvm::Instruction& access, const llvm::Loop& loop) const;
  Turns find_turns(const llvm::Loop& loop);
  Turns follow(llvm::PHINode& counter, const llvm::Loop& loop);
  bool is_left(const llvm::Loop& loop, AffineValues& values) const;

  llvm::Function& function_;
  const BlockShape block_;
  const bool ranges_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  AffineValues values_;
  std::optional<bool> may_meet_elsewhere_;
  llvm::DenseMap<const llvm::Loop*, Turns> turns_;  // empty: not known
};

}  // namespace warpwise::simt
