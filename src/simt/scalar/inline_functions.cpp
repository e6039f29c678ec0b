#include "simt/scalar/inline_functions.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <map>
#include <vector>

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

namespace {

// The functions that the kernel reaches by calls, callees first, without those that may call themselves.
std::vector<Function*> callees_first(Module& module, SmallPtrSetImpl<Function*>& recursive) {
  std::vector<Function*> order;
  CallGraph graph(module);
  for (auto scc = scc_begin(&graph); !scc.isAtEnd(); ++scc)
    for (CallGraphNode* node : *scc) {
      Function* f = node->getFunction();
      if (!f || f->isDeclaration()) continue;
      order.push_back(f);
      if (scc.hasCycle()) recursive.insert(f);
    }
  return order;
}

class Inliner {
 public:
  Inliner(Module& module, Function& kernel, const FunctionSize& size_of)
      : kernel_(kernel), order_(callees_first(module, recursive_)) {
    for (Function* f : order_) size_[f] = size_of(*f);
  }

  void run() {
    // A callee is complete before its callers, so each call is inlined once in each function that has it.
    const size_t most = size_with_calls() <= kMostInlined ? kMostInlined : kMostBesideCalls;
    for (Function* f : order_)
      if (!recursive_.contains(f) || f == &kernel_) inline_into(*f, most);
  }

 private:
  // What a call can be replaced by; null: it stays a call.
  Function* body_of(const Instruction& i) const {
    auto* call = dyn_cast<CallInst>(&i);
    Function* callee = call ? call->getCalledFunction() : nullptr;
    return callee && !callee->isDeclaration() && !recursive_.contains(callee) ? callee : nullptr;
  }

  // Of the kernel, if each of its calls were inlined. The number may be astronomic: it ends at a bound.
  size_t size_with_calls() const {
    std::map<const Function*, size_t> whole;
    for (Function* f : order_) {
      size_t size = size_.at(f);
      for (const Instruction& i : instructions(*f))
        if (const Function* callee = body_of(i)) size = std::min(size + whole.at(callee), kMostInlined + 1);
      whole[f] = size;
    }
    return whole.at(&kernel_);
  }

  void inline_into(Function& f, size_t most) {
    SmallVector<CallInst*> calls;
    for (Instruction& i : instructions(f)) {
      const Function* callee = body_of(i);
      if (!callee || size_[&f] + size_[callee] > most) continue;
      size_[&f] += size_[callee];
      calls.push_back(cast<CallInst>(&i));
    }
    // From the last to the first: what follows a call moves to a block of its own, and is short.
    for (CallInst* call : reverse(calls)) {
      InlineFunctionInfo info;
      (void)InlineFunction(*call, info);
    }
  }

  Function& kernel_;
  SmallPtrSet<Function*, 8> recursive_;
  const std::vector<Function*> order_;
  std::map<const Function*, size_t> size_;  // with what has been inlined
};

}  // namespace

void inline_functions(Module& module, Function& kernel, const FunctionSize& size_of) {
  Inliner(module, kernel, size_of).run();
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
