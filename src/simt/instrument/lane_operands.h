// What instrumented code passes to services by lane: addresses and values, of which most are a number plus a constant
// for each lane.
//
//     add <32 x i64> splat(%base), <0, 4, 8, …>      call(…, i64 %base, ptr @lanes, …), where @lanes holds 0, 4, 8, …
//
// The service adds them up. A vector of 64-bit lanes has no register that holds it: made in compiled code and stored,
// it is four of everything, and code generation falls back from its fast instruction selector for the whole block.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

#include <optional>

namespace warpwise::simt {

class LaneOperands {
 public:
  explicit LaneOperands(llvm::Module& module) : module_(module) {}

  struct Pattern {
    llvm::Value* base;        // i64, the same for all lanes
    llvm::Constant* by_lane;  // <32 x i64>, to add to it
  };
  // Nothing where the lanes have no such form.
  static std::optional<Pattern> pattern_of(llvm::Value* lanes);

  // Constant memory with these lanes: an array of 64-bit numbers.
  llvm::GlobalVariable* in_memory(llvm::Constant* lanes);

 private:
  llvm::Module& module_;
  llvm::DenseMap<llvm::Constant*, llvm::GlobalVariable*> made_;
};

}  // namespace warpwise::simt
