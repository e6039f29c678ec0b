#include "simt/scalar/promote_registers.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Scalar/SROA.h>

#include "simt/scalar/llvm_analyses.h"

namespace warpwise::simt {

using namespace llvm;

void promote_registers(Function& function) {
  LlvmAnalyses analyses;
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.run(function, analyses.functions);
  // What is left is arguments and results of calls, on the host's stack. One pointer must never be either theirs or the
  // program's, as it would be where InstCombine makes one load of two: volatile loads are not merged.
  for (Instruction& i : instructions(function)) {
    const Value* pointer = getLoadStorePointerOperand(&i);
    if (!pointer || !isa<AllocaInst>(getUnderlyingObject(pointer))) continue;
    if (auto* load = dyn_cast<LoadInst>(&i)) load->setVolatile(true);
    if (auto* store = dyn_cast<StoreInst>(&i)) store->setVolatile(true);
  }
}

}  // namespace warpwise::simt
