#include "simt/passes/block_waits.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "simt/dialect.h"
#include "simt/passes/dialect_calls.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

bool is_barrier(const Instruction& i) {
  auto d = dialect_of(&i);
  return d && class_of(*d) == DialectClass::Barrier;
}

// Whether others can see that the instruction has run.
bool writes(const Instruction& i) {
  if (auto* store = dyn_cast<StoreInst>(&i)) return store->getPointerAddressSpace() != kLocal;
  if (auto* rmw = dyn_cast<AtomicRMWInst>(&i)) {
    auto* operand = dyn_cast<ConstantInt>(rmw->getValOperand());
    bool reads_only = operand && operand->isZero() && (rmw->getOperation() == AtomicRMWInst::Add || rmw->getOperation() == AtomicRMWInst::Or);
    return !reads_only;
  }
  if (isa<AtomicCmpXchgInst>(i)) return true;
  if (isa<IntrinsicInst>(i)) return i.mayWriteToMemory();
  if (auto d = dialect_of(&i)) {
    switch (*d) {
      case Dialect::Nanosleep: case Dialect::Clock: case Dialect::GlobalTimer: case Dialect::Vprintf: case Dialect::Trap: return false;
      default: return class_of(*d) == DialectClass::Effect;
    }
  }
  return isa<CallBase>(i);
}

// The value of an expression in one thread, when it depends on threadIdx and constants alone.
class ThreadValues {
 public:
  ThreadValues(const Function& function, const BlockShape& block, uint32_t thread) : layout_(function.getParent()->getDataLayout()), block_(block), thread_(thread) {}

  Constant* of(Value* value, unsigned depth = 0) {
    if (auto* constant = dyn_cast<Constant>(value)) return constant;
    auto* i = dyn_cast<Instruction>(value);
    if (!i || depth > 64) return nullptr;
    auto [at, fresh] = known_.try_emplace(i, nullptr);
    if (!fresh) return at->second;
    Constant* result = evaluate(*i, depth);
    known_[i] = result;
    return result;
  }

 private:
  Constant* evaluate(Instruction& i, unsigned depth) {
    if (auto d = dialect_of(&i)) {
      auto number = [&](uint32_t n) { return ConstantInt::get(i.getType(), n); };
      const auto& size = block_.size;
      switch (*d) {
        case Dialect::TidX: return number(thread_ % size[0]);
        case Dialect::TidY: return number(thread_ / size[0] % size[1]);
        case Dialect::TidZ: return number(thread_ / size[0] / size[1]);
        case Dialect::LaneId: return number(thread_ % kLanes);
        case Dialect::WarpId: return number(thread_ / kLanes);
        case Dialect::NtidX: return number(size[0]);
        case Dialect::NtidY: return number(size[1]);
        case Dialect::NtidZ: return number(size[2]);
        default: return nullptr;
      }
    }
    if (isa<PHINode>(i) || i.mayReadOrWriteMemory() || isa<CallBase>(i) || i.isTerminator()) return nullptr;
    SmallVector<Constant*, 4> operands;
    bool all = true;
    for (Value* operand : i.operands()) {
      operands.push_back(of(operand, depth + 1));
      all = all && operands.back();
    }
    if (all) return ConstantFoldInstOperands(&i, operands, layout_);
    // One side may decide alone.
    for (Constant* operand : operands) {
      auto* bit = dyn_cast_or_null<ConstantInt>(operand);
      if (!bit) continue;
      if (i.getOpcode() == Instruction::And && bit->isZero()) return bit;
      if (i.getOpcode() == Instruction::Or && bit->isMinusOne()) return bit;
    }
    return nullptr;
  }

  const DataLayout& layout_;
  const BlockShape& block_;
  uint32_t thread_;
  DenseMap<Instruction*, Constant*> known_;
};

class Surroundings {
 public:
  Surroundings(Function& function, const Loop& loop, const LaneShapes& shapes) : function_(function), loop_(loop), shapes_(shapes) { find_starts(); }

  bool answer() {
    const uint32_t threads = shapes_.block().threads();
    BitVector waits(threads);
    std::vector<SmallPtrSet<Instruction*, 8>> written(threads);
    for (uint32_t t = 0; t < threads; ++t) {
      bool reaches = false;
      walk(t, &written[t], &reaches);
      if (reaches) waits.set(t);
    }
    if (waits.none()) return false;
    const uint32_t first = static_cast<uint32_t>(waits.find_first()), warp = first / kLanes;
    const bool alone = waits.count() == 1;
    if (static_cast<uint32_t>(waits.find_last()) / kLanes != warp) return false;
    for (uint32_t t = 0; t < threads; ++t) {
      if (alone ? t == first : t / kLanes == warp) continue;
      if (!written[t].empty()) return false;
    }
    if (alone) return true;
    if (!leaves_together()) return false;
    DominatorTree dominators(function_);
    for (uint32_t t = warp * kLanes; t < std::min(threads, (warp + 1) * kLanes); ++t)
      for (Instruction* i : written[t]) {
        if (loop_.contains(i)) return false;
        bool before = comes_before_.contains(i->getParent()) && !reachable_after(i->getParent());
        bool behind = dominators.dominates(loop_.getHeader(), i->getParent());
        if (!before && !behind) return false;
      }
    return true;
  }

 private:
  // Backwards from the loop to the barriers before it, or to the kernel's entry.
  void find_starts() {
    SmallVector<BasicBlock*, 16> work(predecessors(loop_.getHeader()));
    if (loop_.getHeader() == &function_.getEntryBlock()) starts_.insert(&*function_.getEntryBlock().begin());
    comes_before_.insert(loop_.getHeader());
    while (!work.empty()) {
      BasicBlock* bb = work.pop_back_val();
      if (!comes_before_.insert(bb).second) continue;
      Instruction* barrier = nullptr;
      for (Instruction& i : *bb)
        if (is_barrier(i)) barrier = &i;
      if (barrier) {
        starts_.insert(barrier->getNextNode());
        continue;
      }
      if (bb == &function_.getEntryBlock()) starts_.insert(&*bb->begin());
      work.append(pred_begin(bb), pred_end(bb));
    }
  }

  // What a thread can run between those barriers and the next ones.
  void walk(uint32_t thread, SmallPtrSet<Instruction*, 8>* written, bool* reaches) {
    ThreadValues values(function_, shapes_.block(), thread);
    SmallVector<Instruction*, 16> work(starts_.begin(), starts_.end());
    SmallPtrSet<Instruction*, 16> seen;
    while (!work.empty()) {
      Instruction* from = work.pop_back_val();
      if (!seen.insert(from).second) continue;
      if (loop_.contains(from)) *reaches = true;
      for (Instruction* i = from; i; i = i->getNextNode()) {
        if (is_barrier(*i)) break;
        if (writes(*i)) written->insert(i);
        if (!i->isTerminator()) continue;
        auto* branch = dyn_cast<BranchInst>(i);
        if (branch && branch->isConditional())
          if (auto* condition = dyn_cast_or_null<ConstantInt>(values.of(branch->getCondition()))) {
            work.push_back(&*branch->getSuccessor(condition->isZero() ? 1 : 0)->begin());
            continue;
          }
        for (unsigned s = 0; s < i->getNumSuccessors(); ++s) work.push_back(&*i->getSuccessor(s)->begin());
      }
    }
  }

  bool leaves_together() const {
    SmallVector<BasicBlock*, 4> exiting;
    loop_.getExitingBlocks(exiting);
    for (const Loop* l = &loop_; l; l = l->getParentLoop()) {
      l->getExitingBlocks(exiting);
      for (BasicBlock* bb : exiting)
        if (shapes_.diverges(*bb)) return false;
    }
    return true;
  }

  // Whether the block can be run again, or for the first time, once somebody has been in the loop.
  bool reachable_after(BasicBlock* wanted) {
    if (after_.empty()) {
      SmallVector<BasicBlock*, 16> work{loop_.getHeader()};
      while (!work.empty()) {
        BasicBlock* bb = work.pop_back_val();
        if (!after_.insert(bb).second) continue;
        bool barrier = false;
        for (Instruction& i : *bb) barrier = barrier || is_barrier(i);
        if (!barrier) work.append(succ_begin(bb), succ_end(bb));
      }
    }
    return after_.contains(wanted);
  }

  Function& function_;
  const Loop& loop_;
  const LaneShapes& shapes_;
  SmallSetVector<Instruction*, 8> starts_;
  SmallPtrSet<BasicBlock*, 16> comes_before_, after_;
};

}  // namespace

bool waits_for_other_blocks(Function& function, const Loop& loop, const LaneShapes& shapes) {
  return Surroundings(function, loop, shapes).answer();
}

}  // namespace warpwise::simt
