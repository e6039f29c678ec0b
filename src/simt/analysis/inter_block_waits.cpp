#include "simt/analysis/inter_block_waits.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>

#include "simt/analysis/atomic_reads.h"
#include "simt/analysis/common_branches.h"
#include "simt/analysis/decoupled_lookback.h"
#include "simt/analysis/dialect_calls.h"
#include "simt/analysis/thread_values.h"
#include "simt/dialect.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// Whether others can see that the instruction has run.
bool writes(const Instruction& i) {
  if (auto* store = dyn_cast<StoreInst>(&i)) return store->getPointerAddressSpace() != kLocal;
  if (auto* rmw = dyn_cast<AtomicRMWInst>(&i)) return !only_reads(*rmw);
  if (isa<AtomicCmpXchgInst>(i)) return true;
  if (isa<IntrinsicInst>(i)) return i.mayWriteToMemory();
  if (auto d = dialect_of(&i)) {
    switch (*d) {
      case Dialect::Nanosleep:
      case Dialect::Clock:
      case Dialect::GlobalTimer:
      case Dialect::Vprintf:
      case Dialect::Trap:
        return false;
      default:
        return class_of(*d) == DialectClass::Effect && !is_count(*d) && *d != Dialect::Event;
    }
  }
  return isa<CallBase>(i);
}

// A store or an update of the block's shared memory, for certain.
bool writes_shared_memory(const Instruction& i) {
  const Value* pointer = nullptr;
  if (auto* store = dyn_cast<StoreInst>(&i)) pointer = store->getPointerOperand();
  if (auto* rmw = dyn_cast<AtomicRMWInst>(&i)) pointer = rmw->getPointerOperand();
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&i)) pointer = exchange->getPointerOperand();
  return pointer && pointer->getType()->getPointerAddressSpace() == kShared;
}

// Whether nothing that is read in the loop may lie in shared memory.
bool reads_no_shared_memory(const Loop& loop) {
  for (BasicBlock* bb : loop.blocks())
    for (Instruction& i : *bb) {
      const Value* pointer = nullptr;
      if (auto* load = dyn_cast<LoadInst>(&i)) pointer = load->getPointerOperand();
      if (auto* rmw = dyn_cast<AtomicRMWInst>(&i)) pointer = rmw->getPointerOperand();
      if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&i)) pointer = exchange->getPointerOperand();
      if (pointer) {
        const unsigned space = pointer->getType()->getPointerAddressSpace();
        if (space == kShared || space == kGeneric) return false;
      } else if (isa<CallBase>(i) && i.mayReadFromMemory() && dialect_of(&i) != Dialect::Nanosleep) {
        return false;
      }
    }
  return true;
}

// What the threads of the block can run between the barriers around the loop.
class BarrierInterval {
 public:
  BarrierInterval(Function& function, const Loop& loop, const LaneShapes& shapes)
      : function_(function), loop_(loop), shapes_(shapes), in_global_memory_(reads_no_shared_memory(loop)) {
    find_starts();
  }

  bool waits_for_other_blocks() {
    const uint32_t threads = shapes_.block().threads();
    BitVector waits(threads);
    std::vector<SmallPtrSet<Instruction*, 8>> written(threads);
    CommonBranches common(function_);
    std::vector<Sides> sides;
    for (Instruction* start : starts_) sides.push_back(common.taken(*start, loop_));
    for (uint32_t t = 0; t < threads; ++t) {
      bool reaches = false;
      for (size_t s = 0; s < starts_.size(); ++s) walk(t, starts_[s], sides[s], &written[t], &reaches);
      if (reaches) waits.set(t);
    }
    if (waits.none()) return false;
    return written_here_alone(waits, written) || waits_for_smaller_numbers(loop_, shapes_.block(), waits, written);
  }

 private:
  bool written_here_alone(const BitVector& waits, ArrayRef<SmallPtrSet<Instruction*, 8>> written) {
    const uint32_t threads = shapes_.block().threads();
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

  using Sides = DenseMap<const BasicBlock*, BasicBlock*>;

  // What a thread can run between one of those barriers and the next one, while another thread waits.
  void walk(uint32_t thread, Instruction* start, const Sides& sides, SmallPtrSet<Instruction*, 8>* written,
            bool* reaches) {
    ThreadValues values(function_, shapes_.block(), thread);
    SmallVector<Instruction*, 16> work{start};
    SmallPtrSet<Instruction*, 16> seen;
    while (!work.empty()) {
      Instruction* from = work.pop_back_val();
      if (!seen.insert(from).second) continue;
      if (loop_.contains(from)) *reaches = true;
      for (Instruction* i = from; i; i = i->getNextNode()) {
        if (is_barrier(*i)) break;
        if (writes(*i) && !(in_global_memory_ && writes_shared_memory(*i))) written->insert(i);
        if (!i->isTerminator()) continue;
        if (const auto side = sides.find(i->getParent()); side != sides.end()) {
          work.push_back(&*side->second->begin());
          continue;
        }
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

  // Whether the block can run, again or for the first time, after a thread has been in the loop.
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
  const bool in_global_memory_;  // what the loop waits for: nothing that is written to shared memory ends it
  SmallSetVector<Instruction*, 8> starts_;
  SmallPtrSet<BasicBlock*, 16> comes_before_, after_;
};

}  // namespace

bool waits_for_other_blocks(Function& function, const Loop& loop, const LaneShapes& shapes) {
  return BarrierInterval(function, loop, shapes).waits_for_other_blocks();
}

}  // namespace warpwise::simt
