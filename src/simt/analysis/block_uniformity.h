// What is the same for all warps of a block.
//
// LaneShapes finds what is uniform across the lanes of a warp; this finds what is uniform across the warps of a
// block, in vectorised code, or across its threads, in the program of one thread. Values that depend on nothing but the
// block (its indices, parameters, counters of loops that all warps leave together) need one register for the whole
// block; branches on them are taken by all warps alike.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "simt/analysis/divergence.h"

namespace warpwise::simt {

class BlockUniformity {
 public:
  enum class Loads : uint8_t {
    Constant,  // warps run one after the other: only what never changes reads the same for all
    Together,  // warps run side by side, instruction by instruction: one place reads the same for all
  };
  // `own` are the arguments that differ between warps. Loads marked "ww.common" are the same for all.
  BlockUniformity(llvm::Function& function, llvm::ArrayRef<llvm::Value*> own, Loads loads);

  bool is_uniform(const llvm::Value* value) const { return !varying_.contains(value); }
  // Whether warps may leave this block in different directions.
  bool parts(const llvm::BasicBlock& block) const;

 private:
  bool stays_uniform(const llvm::Instruction& instruction) const;
  bool settle();

  Loads loads_;
  Divergence divergence_;
  llvm::DenseSet<const llvm::Value*> varying_;
};

}  // namespace warpwise::simt
