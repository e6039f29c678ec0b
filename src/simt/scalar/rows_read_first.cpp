#include "simt/scalar/rows_read_first.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "simt/analysis/dialect_calls.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// Each meeting is a region more, which has a copy of the code behind it.
constexpr size_t kMostMeetings = 16;

// The place in its row, or more: what a value may depend on of a thread's place.
struct Dependence {
  bool on_column = false;
  bool on_more = false;
};

class Rows {
 public:
  Rows(Function& kernel, const BlockShape& block)
      : kernel_(kernel), block_(block), dominators_(kernel), loops_(dominators_) {}

  // The writes, or the ends of blocks, before which rows meet.
  SmallVector<Instruction*, 4> find_meetings() {
    DenseMap<const Value*, SmallVector<LoadInst*, 2>> reads;
    SmallVector<Instruction*, 4> meetings;
    // Blocks before those that they dominate, since reads come first.
    for (auto* node : depth_first(&dominators_)) {
      Instruction* last_meeting = nullptr;  // in this block
      for (Instruction& i : *node->getBlock()) {
        if (auto* load = dyn_cast<LoadInst>(&i); load && may_be_shared_by_rows(*load))
          reads[address(load->getPointerOperand())].push_back(load);
        auto* store = dyn_cast<StoreInst>(&i);
        if (!store) continue;
        for (LoadInst* load : reads.lookup(address(store->getPointerOperand()))) {
          if (!dominators_.dominates(load, store)) continue;
          Instruction* at = load->getParent() == store->getParent() ? static_cast<Instruction*>(store)
                                                                    : load->getParent()->getTerminator();
          if (last_meeting && at == store && load->comesBefore(last_meeting)) continue;
          if (!is_contained(meetings, at)) meetings.push_back(at);
          if (at == store) last_meeting = at;
        }
      }
    }
    return meetings;
  }

 private:
  // Loads and stores of one place have their own pointers, made of one number.
  static const Value* address(const Value* pointer) {
    auto* cast = dyn_cast<IntToPtrInst>(pointer);
    return cast ? cast->getOperand(0) : pointer;
  }

  bool may_be_shared_by_rows(LoadInst& load) {
    const unsigned space = load.getPointerAddressSpace();
    if (space != kGlobal && space != kShared && space != kGeneric) return false;
    if (loops_.getLoopFor(load.getParent())) return false;
    const Dependence place = dependence(load.getPointerOperand());
    return place.on_column && !place.on_more && !reached_by_some_rows(load.getParent());
  }

  bool reached_by_some_rows(BasicBlock* bb) {
    for (auto* node = dominators_.getNode(bb)->getIDom(); node; node = node->getIDom())
      if (auto* branch = dyn_cast<BranchInst>(node->getBlock()->getTerminator());
          !branch || (branch->isConditional() && dependence(branch->getCondition()).on_more))
        return true;
    return false;
  }

  Dependence dependence(const Value* value, unsigned depth = 0) {
    constexpr unsigned kDeepest = 64;
    auto* i = dyn_cast<Instruction>(value);
    if (!i) return {};
    if (depth == kDeepest) return {.on_more = true};
    auto [known, fresh] = known_.try_emplace(i);
    if (!fresh) return known->second;
    Dependence result;
    if (auto d = dialect_of(i)) {
      const unsigned axis = unsigned(*d) - unsigned(Dialect::TidX);
      if (*d == Dialect::TidX || *d == Dialect::TidY || *d == Dialect::TidZ)
        (axis == 0 ? result.on_column : result.on_more) = block_.size[axis] > 1;
      else if (class_of(*d) != DialectClass::Block && class_of(*d) != DialectClass::Pure)
        result.on_more = true;
    } else if (isa<PHINode, AllocaInst, CallInst>(i)) {
      return known_[i] = {.on_more = true};  // not looked into: so there are no circles
    }
    for (const Use& operand : i->operands()) {
      const Dependence of = dependence(operand.get(), depth + 1);
      result.on_column |= of.on_column;
      result.on_more |= of.on_more;
    }
    return known_[i] = result;
  }

  Function& kernel_;
  const BlockShape& block_;
  DominatorTree dominators_;
  LoopInfo loops_;
  DenseMap<const Instruction*, Dependence> known_;
};

// Whether a thread may wait for another one, or be told something by it in an order that the program relies on.
bool may_wait(const Instruction& i) {
  if (isa<AtomicRMWInst, AtomicCmpXchgInst, FenceInst>(i)) return true;
  if (auto* load = dyn_cast<LoadInst>(&i)) return load->isVolatile() || load->isAtomic();
  if (auto* store = dyn_cast<StoreInst>(&i)) return store->isVolatile() || store->isAtomic();
  if (auto d = dialect_of(&i))
    return class_of(*d) != DialectClass::Thread && class_of(*d) != DialectClass::Block &&
           class_of(*d) != DialectClass::Pure;
  auto* call = dyn_cast<CallInst>(&i);
  return call && call->mayHaveSideEffects();
}

}  // namespace

bool rows_read_first(Function& kernel, const BlockShape& block) {
  if (block.warps() < 2 || block.size[1] * block.size[2] < 2) return false;
  for (const Instruction& i : instructions(kernel))
    if (may_wait(i)) return false;
  const auto meetings = Rows(kernel, block).find_meetings();
  if (meetings.empty() || meetings.size() > kMostMeetings) return false;
  IRBuilder<> b(kernel.getContext());
  FunctionCallee meet = kernel.getParent()->getOrInsertFunction(name_of(Dialect::BarrierSync), b.getVoidTy(),
                                                                b.getInt32Ty(), b.getInt32Ty());
  cast<Function>(meet.getCallee())->setConvergent();
  for (Instruction* at : meetings) {
    b.SetInsertPoint(at);
    b.CreateCall(meet, {b.getInt32(0), b.getInt32(0)});
  }
  return true;
}

}  // namespace warpwise::simt
