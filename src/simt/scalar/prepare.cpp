#include "simt/scalar/prepare.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/AggressiveInstCombine/AggressiveInstCombine.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>
#include <llvm/Transforms/Utils/UnifyFunctionExitNodes.h>

#include "simt/analysis/dialect_calls.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// The analyses that LLVM's passes ask for; one set per function is cheap at these sizes.
struct Managers {
  Managers() {
    PassBuilder builder;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(sccs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, sccs, modules);
  }
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
};

// `exit` in an inlined function ends the thread: return from the kernel.
void lower_exit(Function& kernel) {
  SmallVector<Instruction*> exits;
  for (Instruction& i : instructions(kernel))
    if (dialect_of(&i) == Dialect::Exit) exits.push_back(&i);
  for (Instruction* exit : exits) {
    BasicBlock* bb = exit->getParent();
    for (BasicBlock* s : successors(bb)) s->removePredecessor(bb);
    while (&bb->back() != exit) {
      bb->back().replaceAllUsesWith(PoisonValue::get(bb->back().getType()));
      bb->back().eraseFromParent();
    }
    exit->eraseFromParent();
    ReturnInst::Create(kernel.getContext(), bb);
  }
}

}  // namespace

// Having users says nothing: virtual functions that call each other through pointers use each other, and a kernel that
// only makes the objects reaches none of them.
void drop_unreached(Module& module, Function& kernel) {
  SmallPtrSet<Function*, 8> reached{&kernel};
  SmallVector<Function*, 8> work{&kernel};
  while (!work.empty()) {
    Function* function = work.pop_back_val();
    for (Instruction& i : instructions(*function))
      for (Value* operand : i.operands())
        if (auto* f = dyn_cast<Function>(operand->stripPointerCasts()); f && reached.insert(f).second)
          work.push_back(f);
  }
  SmallVector<Function*, 8> unreached;
  for (Function& f : module)
    if (!f.isDeclaration() && !reached.contains(&f)) unreached.push_back(&f);
  for (Function* f : unreached) f->dropAllReferences();
  for (Function* f : unreached) f->eraseFromParent();
}

void inline_functions(Module& module, Function& kernel) {
  // Functions that may call themselves stay calls.
  SmallPtrSet<Function*, 8> recursive;
  CallGraph graph(module);
  for (auto scc = scc_begin(&graph); !scc.isAtEnd(); ++scc)
    if (scc.hasCycle())
      for (CallGraphNode* node : *scc)
        if (node->getFunction()) recursive.insert(node->getFunction());
  bool changed = true;
  while (changed) {
    changed = false;
    for (Instruction& i : make_early_inc_range(instructions(kernel))) {
      auto* call = dyn_cast<CallInst>(&i);
      Function* callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || callee->isDeclaration() || recursive.contains(callee)) continue;
      InlineFunctionInfo info;
      if (InlineFunction(*call, info).isSuccess()) {
        changed = true;
        break;  // the iteration is over a function that has just changed
      }
    }
  }
  lower_exit(kernel);
  removeUnreachableBlocks(kernel);
  drop_unreached(module, kernel);
}

void promote_registers(Function& function) {
  Managers m;
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.run(function, m.functions);
  // What is left is arguments and results of calls, on the host's stack: their addresses must not meet the program's in
  // one pointer, as they do when InstCombine makes one load of two.
  for (Instruction& i : instructions(function)) {
    const Value* pointer = getLoadStorePointerOperand(&i);
    if (!pointer || !isa<AllocaInst>(getUnderlyingObject(pointer))) continue;
    if (auto* load = dyn_cast<LoadInst>(&i)) load->setVolatile(true);
    if (auto* store = dyn_cast<StoreInst>(&i)) store->setVolatile(true);
  }
}

namespace {

// InstCombine moves a read whose value is used behind a branch alone to its use. That is right for a program that is
// right; a read past the end in front of its guard would never be seen. Volatile accesses stay where they are.
void combine_instructions(Function& function, Managers& m, bool keep_places) {
  SmallPtrSet<Instruction*, 8> already;
  if (keep_places)
    for (Instruction& i : instructions(function))
      if (auto* load = dyn_cast<LoadInst>(&i)) {
        if (load->isVolatile()) already.insert(load);
        load->setVolatile(true);
      }
  InstCombinePass().run(function, m.functions);
  if (keep_places)
    for (Instruction& i : instructions(function))
      if (auto* load = dyn_cast<LoadInst>(&i); load && !already.contains(load)) load->setVolatile(false);
  m.functions.invalidate(function, PreservedAnalyses::none());
}

// Whether one value is compared with many constants, as `if (i == 0) …; if (i == 1) …;` does. SimplifyCFG knows in each
// arm how the comparisons behind it end and makes a switch of what is left of them: quadratically many branches once
// switches are taken apart, of which lanes that part at each of them anyway have nothing.
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
  Managers m;
  FunctionPassManager first, then;
  first.addPass(EarlyCSEPass());
  first.run(function, m.functions);
  combine_instructions(function, m, keep_places);
  // No hoisting or sinking across branches: lanes would meet where the program does not say so.
  SimplifyCFGOptions options;
  options.convertSwitchRangeToICmp(false)
      .hoistCommonInsts(false)
      .sinkCommonInsts(false)
      .needCanonicalLoops(true)
      .setSimplifyCondBranch(!compares_often(function));
  then.addPass(SimplifyCFGPass(options));
  then.addPass(EarlyCSEPass(true));
  then.addPass(ADCEPass());
  then.run(function, m.functions);
  // InstCombine writes sums of disjoint bits as `or`, sometimes because a branch around them says so. Lane
  // patterns follow sums, in lanes that the branch keeps out as well.
  for (Instruction& i : make_early_inc_range(instructions(function)))
    if (auto* either = dyn_cast<PossiblyDisjointInst>(&i); either && either->isDisjoint()) {
      auto* sum = BinaryOperator::CreateAdd(i.getOperand(0), i.getOperand(1), i.getName(), i.getIterator());
      sum->setDebugLoc(i.getDebugLoc());
      i.replaceAllUsesWith(sum);
      i.eraseFromParent();
    }
}

namespace {

// The integer behind a pointer of the dialect: through the casts, phis and selects that passes made of
// them.
Value* integer_of(Value* pointer, DenseMap<Value*, Value*>& known) {
  if (auto* cast = dyn_cast<IntToPtrInst>(pointer)) return cast->getOperand(0);
  if (auto* c = dyn_cast<Constant>(pointer))
    return ConstantExpr::getPtrToInt(c, Type::getInt64Ty(pointer->getContext()));
  if (Value* v = known.lookup(pointer)) return v;
  if (auto* phi = dyn_cast<PHINode>(pointer)) {
    auto* integer =
        PHINode::Create(Type::getInt64Ty(pointer->getContext()), phi->getNumIncomingValues(), "", phi->getIterator());
    known[phi] = integer;
    for (unsigned n = 0; n < phi->getNumIncomingValues(); ++n)
      integer->addIncoming(integer_of(phi->getIncomingValue(n), known), phi->getIncomingBlock(n));
    return integer;
  }
  if (auto* select = dyn_cast<SelectInst>(pointer)) {
    Value* a = integer_of(select->getTrueValue(), known);
    Value* b = integer_of(select->getFalseValue(), known);
    return known[select] = SelectInst::Create(select->getCondition(), a, b, "", select->getIterator());
  }
  return nullptr;
}

}  // namespace

void sink_pointers(Function& function) {
  DenseMap<Value*, Value*> known;
  for (Instruction& i : make_early_inc_range(instructions(function)))
    for (Use& use : i.operands()) {
      const bool access =
          (isa<LoadInst>(i) && use.getOperandNo() == 0) || (isa<StoreInst>(i) && use.getOperandNo() == 1) ||
          (isa<AtomicRMWInst>(i) && use.getOperandNo() == 0) || (isa<AtomicCmpXchgInst>(i) && use.getOperandNo() == 0);
      if (!access || !isa<Instruction>(use.get())) continue;
      if (Value* address = integer_of(use.get(), known))
        use.set(new IntToPtrInst(address, use->getType(), "", i.getIterator()));
    }
  for (bool changed = true; changed;) {
    changed = false;
    for (Instruction& i : make_early_inc_range(instructions(function)))
      if (i.getType()->isPointerTy() && !isa<AllocaInst>(i) && isInstructionTriviallyDead(&i)) {
        i.eraseFromParent();
        changed = true;
      }
  }
  // Phis of pointers may keep each other alive.
  for (BasicBlock& bb : function)
    for (PHINode& phi : make_early_inc_range(bb.phis()))
      if (phi.getType()->isPointerTy()) RecursivelyDeleteDeadPHINode(&phi);
}

// InstCombine merges the results {a, b} of dialect calls as whole pairs. Widening knows pairs only where a
// call makes them: merge their fields instead.
void split_pair_phis(Function& function) {
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock& bb : function)
      for (PHINode& phi : make_early_inc_range(bb.phis())) {
        auto* type = dyn_cast<StructType>(phi.getType());
        if (!type) continue;
        changed = true;
        SmallVector<PHINode*, 2> fields;
        for (unsigned n = 0; n < type->getNumElements(); ++n) {
          auto* field = PHINode::Create(type->getElementType(n), phi.getNumIncomingValues(), "", phi.getIterator());
          for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k) {
            Value* pair = phi.getIncomingValue(k);
            Instruction* end = phi.getIncomingBlock(k)->getTerminator();
            field->addIncoming(ExtractValueInst::Create(pair, {n}, "", end->getIterator()), phi.getIncomingBlock(k));
          }
          fields.push_back(field);
        }
        for (User* user : make_early_inc_range(phi.users()))
          if (auto* extract = dyn_cast<ExtractValueInst>(user); extract && extract->getNumIndices() == 1) {
            extract->replaceAllUsesWith(fields[extract->getIndices()[0]]);
            extract->eraseFromParent();
          }
        if (!phi.use_empty()) {  // another pair phi: rebuild the pair for it
          IRBuilder<> b(&bb, bb.getFirstInsertionPt());
          Value* pair = PoisonValue::get(type);
          for (unsigned n = 0; n < fields.size(); ++n) pair = b.CreateInsertValue(pair, fields[n], n);
          phi.replaceAllUsesWith(pair);
        }
        phi.eraseFromParent();
        break;
      }
  }
  // extractvalue of a rebuilt pair is the field.
  for (Instruction& i : make_early_inc_range(instructions(function)))
    if (auto* extract = dyn_cast<ExtractValueInst>(&i))
      if (Value* field = FindInsertedValue(extract->getAggregateOperand(), extract->getIndices());
          field && field != extract) {
        extract->replaceAllUsesWith(field);
        extract->eraseFromParent();
      }
  for (Instruction& i : make_early_inc_range(instructions(function)))
    if (isa<InsertValueInst>(i) && isInstructionTriviallyDead(&i)) RecursivelyDeleteTriviallyDeadInstructions(&i);
}

void tidy_control_flow(Function& function) {
  // A thread that reaches `unreachable` is never heard of again: the same as a return, for the others.
  for (BasicBlock& bb : function)
    if (isa<UnreachableInst>(bb.getTerminator())) {
      bb.getTerminator()->eraseFromParent();
      ReturnInst::Create(function.getContext(), &bb);
    }
  split_pair_phis(function);
  sink_pointers(function);
  Managers m;
  FunctionPassManager passes;
  passes.addPass(LowerSwitchPass());
  passes.addPass(FixIrreduciblePass());
  passes.addPass(UnifyFunctionExitNodesPass());
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  passes.run(function, m.functions);
}

bool has_calls(const Function& kernel) {
  for (const Instruction& i : instructions(kernel))
    if (auto* call = dyn_cast<CallBase>(&i))
      if (!call->getCalledFunction() || !call->getCalledFunction()->isDeclaration()) return true;
  return false;
}

}  // namespace warpwise::simt
