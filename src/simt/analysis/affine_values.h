// The affine form of each number and address that a kernel computes (analysis/affine_form.h), for one block shape.
//
// The constant is computed for every thread of the block (its shape is a constant of the compiled code), conditions on
// threadIdx say which threads execute an instruction, loop counters contribute multiples of their step, what is not
// understood but bounded (`digit & 255`) a spread, and everything else any multiple of its coefficient.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "simt/analysis/affine_form.h"
#include "simt/analysis/dialect_calls.h"
#include "simt/analysis/lane_shapes.h"

namespace warpwise::simt {

class AffineValues {
 public:
  // `ranges`: forms may assume that numbers of the launch are small (AffineForm::assumed).
  AffineValues(llvm::Function& function, const BlockShape& block, bool ranges);

  const AffineForm& of(llvm::Value* value);
  // From now on: what is computed where a value is this number. Nothing has been asked yet.
  void set(llvm::Value& value, int64_t number);
  // What a condition is, if it is the same for all threads and known.
  std::optional<bool> decides(llvm::Value& condition);
  // Which threads execute an instruction of the block, as far as conditions on threadIdx alone say.
  const std::vector<bool>& threads_at(llvm::BasicBlock* bb);
  // The number of the launch that a value is: a parameter of 4 or 8 bytes, or less than the number of blocks.
  static std::optional<LaunchRange> launch_number(llvm::Value* value);
  // Where a base comes from: the offset of a parameter, or DistinctPointers::kVariables.
  static std::optional<uint32_t> pointer_of_launch(llvm::Value* base);

 private:
  AffineForm compute(llvm::Value* value);
  AffineForm of_instruction(llvm::Instruction& i);
  AffineForm of_dialect(llvm::Instruction& i, Dialect d);
  AffineForm of_extension(llvm::Instruction& i);
  std::optional<AffineForm> of_product(llvm::Instruction& i);
  std::optional<AffineForm> factor(llvm::Value* value);
  AffineForm of_phi(llvm::PHINode& phi);
  std::optional<AffineForm> of_either(llvm::PHINode& phi);
  std::optional<AffineForm> of_counter(llvm::PHINode& phi);
  AffineForm of_constants(llvm::Instruction& i, const AffineForm& a, const AffineForm& b);
  AffineForm one_of(llvm::Instruction& i, llvm::ArrayRef<llvm::Value*> values);
  void keep_threads(llvm::Value& condition, bool holds, std::vector<bool>& threads);
  bool is_shared_by_threads(llvm::Value* value, unsigned depth = 0);

  const BlockShape block_;
  const unsigned threads_;
  const bool ranges_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::DenseMap<llvm::Value*, std::unique_ptr<AffineForm>> forms_;
  llvm::SmallPtrSet<llvm::Value*, 8> in_work_;
  llvm::DenseMap<llvm::BasicBlock*, std::unique_ptr<std::vector<bool>>> threads_at_;
  llvm::DenseMap<llvm::Value*, bool> shared_;
  // Of each parameter and of each base the load or call that was met first.
  llvm::DenseMap<std::pair<uint64_t, llvm::Type*>, llvm::Value*> parameters_;
  std::map<Dialect, llvm::Value*> bases_;
};

}  // namespace warpwise::simt
