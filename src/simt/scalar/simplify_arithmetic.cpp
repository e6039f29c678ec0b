#include "simt/scalar/simplify_arithmetic.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include "simt/scalar/llvm_analyses.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// InstCombine sinks a load to its use, if the only use is behind a branch. That is sound, but it hides a load that lies
// out of bounds before the guard that should have protected it. Volatile loads stay where they are.
void combine_instructions(Function& function, LlvmAnalyses& analyses, bool keep_places) {
  SmallPtrSet<Instruction*, 8> already;
  if (keep_places)
    for (Instruction& i : instructions(function))
      if (auto* load = dyn_cast<LoadInst>(&i)) {
        if (load->isVolatile()) already.insert(load);
        load->setVolatile(true);
      }
  InstCombinePass().run(function, analyses.functions);
  if (keep_places)
    for (Instruction& i : instructions(function))
      if (auto* load = dyn_cast<LoadInst>(&i); load && !already.contains(load)) load->setVolatile(false);
  analyses.functions.invalidate(function, PreservedAnalyses::none());
}

// Whether one value is compared with many constants, as `if (i == 0) …; if (i == 1) …;` does. SimplifyCFG knows in each
// arm how the later comparisons end, and makes a switch of those that are left. Once the switches are lowered again
// there are quadratically many branches. They gain nothing: lanes diverge at each of them anyway.
bool compares_often(const Function& function) {
  constexpr unsigned kOften = 16;
  DenseMap<const Value*, unsigned> compared;
  for (const BasicBlock& bb : function) {
    auto* branch = dyn_cast<BranchInst>(bb.getTerminator());
    auto* compare = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    if (compare && compare->isEquality() && isa<ConstantInt>(compare->getOperand(1)) &&
        ++compared[compare->getOperand(0)] > kOften)
      return true;
  }
  return false;
}

}  // namespace

void simplify_arithmetic(Function& function, bool keep_places) {
  LlvmAnalyses analyses;
  FunctionPassManager first, then;
  first.addPass(EarlyCSEPass());
  first.run(function, analyses.functions);
  combine_instructions(function, analyses, keep_places);
  SimplifyCFGOptions options;
  options.convertSwitchRangeToICmp(false)
      .hoistCommonInsts(false)
      .sinkCommonInsts(false)
      .needCanonicalLoops(true)
      .setSimplifyCondBranch(!compares_often(function));
  then.addPass(SimplifyCFGPass(options));
  then.addPass(EarlyCSEPass(true));
  then.addPass(ADCEPass());
  then.run(function, analyses.functions);
  // InstCombine writes sums of disjoint bits as `or`, sometimes because of a branch around them. Lane shapes follow
  // sums, and they describe inactive lanes as well, in which the bits may not be disjoint.
  for (Instruction& i : make_early_inc_range(instructions(function)))
    if (auto* either = dyn_cast<PossiblyDisjointInst>(&i); either && either->isDisjoint()) {
      auto* sum = BinaryOperator::CreateAdd(i.getOperand(0), i.getOperand(1), i.getName(), i.getIterator());
      sum->setDebugLoc(i.getDebugLoc());
      i.replaceAllUsesWith(sum);
      i.eraseFromParent();
    }
}

}  // namespace warpwise::simt
