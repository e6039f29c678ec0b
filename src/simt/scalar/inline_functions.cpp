#include "simt/scalar/inline_functions.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include "simt/analysis/dialect_calls.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

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

namespace {

// The functions that an operand names, by itself or inside a constant: `ptrtoint (ptr @f to i64)`.
void add_functions(Value* operand, SmallVectorImpl<Function*>& found) {
  SmallVector<Value*, 4> work{operand};
  while (!work.empty()) {
    auto* constant = dyn_cast<Constant>(work.pop_back_val());
    if (auto* f = dyn_cast_or_null<Function>(constant))
      found.push_back(f);
    else if (isa_and_nonnull<ConstantExpr>(constant) || isa_and_nonnull<ConstantAggregate>(constant))
      work.append(constant->op_begin(), constant->op_end());
  }
}

}  // namespace

// A function may have users and still be unreached: virtual functions that call each other through pointers use each
// other, and a kernel that only makes the objects reaches none of them.
void drop_unreached(Module& module, Function& kernel) {
  SmallPtrSet<Function*, 8> reached{&kernel};
  SmallVector<Function*, 8> work{&kernel};
  while (!work.empty()) {
    Function* function = work.pop_back_val();
    for (Instruction& i : instructions(*function))
      for (Value* operand : i.operands()) {
        SmallVector<Function*, 2> named;
        add_functions(operand, named);
        for (Function* f : named)
          if (reached.insert(f).second) work.push_back(f);
      }
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

bool has_calls(const Function& kernel) {
  for (const Instruction& i : instructions(kernel))
    if (auto* call = dyn_cast<CallBase>(&i))
      if (!call->getCalledFunction() || !call->getCalledFunction()->isDeclaration()) return true;
  return false;
}

}  // namespace warpwise::simt
