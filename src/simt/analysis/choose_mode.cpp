#include "simt/analysis/choose_mode.h"

#include <fmt/format.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>

#include <optional>

#include "simt/abi.h"
#include "simt/analysis/atomic_reads.h"
#include "simt/analysis/control_plan.h"
#include "simt/analysis/dialect_calls.h"
#include "simt/analysis/inter_block_waits.h"
#include "simt/analysis/lockstep_waits.h"
#include "simt/scalar/inline_functions.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

std::string where(const Instruction& i) {
  return i.getDebugLoc() ? fmt::format(" (PTX instruction {})", i.getDebugLoc().getLine()) : "";
}

// A warp collective: lanes take part by member mask.
bool is_convergent(const Instruction& i) {
  auto d = dialect_of(&i);
  return d && class_of(*d) == DialectClass::Warp && *d != Dialect::ActiveMask;
}

// The block's, or the cluster's.
bool is_any_barrier(const Instruction& i) {
  auto d = dialect_of(&i);
  return is_barrier(i) || d == Dialect::ClusterArrive || d == Dialect::ClusterWait;
}

// These let others run themselves while they wait: the loop around them need not.
bool waits_at_mbarrier(const Instruction& i) {
  auto d = dialect_of(&i);
  return d == Dialect::MbarrierTest || d == Dialect::MbarrierTry;
}

// A copy into several blocks of a cluster.
bool is_multicast(const Instruction& i) {
  auto d = dialect_of(&i);
  if (d != Dialect::BulkCopy && d != Dialect::TensorCopy) return false;
  auto* what = dyn_cast<ConstantInt>(cast<CallInst>(i).getArgOperand(0));
  return !what || (what->getZExtValue() & kBulkMulticast) != 0;
}

// The instruction on whose memory a loop's exit waits, if it waits.
const Instruction* awaited(const Loop& loop) {
  const Instruction* sleep = nullptr;
  for (BasicBlock* bb : loop.blocks())
    for (Instruction& i : *bb)
      if (dialect_of(&i) == Dialect::Nanosleep) sleep = &i;
  SmallVector<BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  SmallVector<const Value*, 16> work;
  SmallPtrSet<const Value*, 32> seen;
  for (BasicBlock* bb : exiting)
    if (auto* branch = dyn_cast<BranchInst>(bb->getTerminator()); branch && branch->isConditional())
      work.push_back(branch->getCondition());
  while (!work.empty()) {
    auto* i = dyn_cast<Instruction>(work.pop_back_val());
    if (!i || !loop.contains(i) || !seen.insert(i).second) continue;
    if (auto* load = dyn_cast<LoadInst>(i)) {
      if (load->isVolatile() || load->isAtomic()) return i;
      continue;
    }
    if (auto* rmw = dyn_cast<AtomicRMWInst>(i)) {
      if (rmw->getOperation() == AtomicRMWInst::Xchg || only_reads(*rmw)) return i;
      continue;
    }
    if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(i)) {
      // Lock-free when what is expected comes from the last try.
      SmallVector<const Value*, 8> from{exchange->getCompareOperand()};
      SmallPtrSet<const Value*, 16> visited;
      bool retried = false;
      while (!from.empty()) {
        auto* v = dyn_cast<Instruction>(from.pop_back_val());
        if (!v || !loop.contains(v) || !visited.insert(v).second) continue;
        if (v == exchange) retried = true;
        from.append(v->op_begin(), v->op_end());
      }
      if (!retried) return i;
      continue;
    }
    if (waits_at_mbarrier(*i)) return i;
    if (auto* phi = dyn_cast<PHINode>(i)) {
      // A value merged by control flow inside the loop depends on the branches too.
      for (BasicBlock* from : phi->blocks())
        if (loop.contains(from))
          if (auto* branch = dyn_cast<BranchInst>(from->getTerminator()); branch && branch->isConditional())
            work.push_back(branch->getCondition());
    }
    work.append(i->op_begin(), i->op_end());
  }
  return sleep;
}

// `mode` or one behind it. The first reason for the last mode counts.
void need(ModeChoice& choice, Mode mode, std::string why, const Instruction& i) {
  if (mode <= choice.mode) return;
  choice.mode = mode;
  choice.why = why + where(i);
}

// For some of the block's threads, or of a number that is not known.
bool is_partial_barrier(const Instruction& i, const BlockShape& block) {
  const auto d = dialect_of(&i);
  if (d == Dialect::BarrierArrive) return true;
  if (d != Dialect::BarrierSync && d != Dialect::BarrierRed) return false;
  auto* id = dyn_cast<ConstantInt>(cast<CallInst>(i).getArgOperand(0));
  auto* threads = dyn_cast<ConstantInt>(cast<CallInst>(i).getArgOperand(1));
  return !id || !threads || (threads->getZExtValue() != 0 && threads->getZExtValue() != block.threads());
}

// What single instructions say, without divergence analysis: that takes seconds where a program's every function
// is inlined into one kernel.
ModeChoice choose_by_instructions(Function& function, const BlockShape& block, const LoopInfo& loops) {
  ModeChoice choice;
  for (Loop* loop : loops.getLoopsInPreorder())
    if (const Instruction* i = awaited(*loop)) {
      if (waits_at_mbarrier(*i))
        need(choice, Mode::Warps, "a loop waits for an mbarrier", *i);
      else
        choice.spins = true;
    }
  if (has_calls(function))
    need(choice, Mode::Independent, "it calls functions that recurse or are reached through pointers",
         *function.getEntryBlock().begin());
  std::optional<uint64_t> barrier;
  for (Instruction& i : instructions(function)) {
    auto d = dialect_of(&i);
    if (!d) continue;
    if (class_of(*d) == DialectClass::Cluster || is_multicast(i))
      need(choice, Mode::Warps, "it reaches other blocks of its cluster", i);
    if (class_of(*d) == DialectClass::Tensor) need(choice, Mode::Independent, "it uses tensor memory", i);
    if (*d == Dialect::BarrierArrive) need(choice, Mode::Warps, "it arrives at barriers without waiting", i);
    if (*d == Dialect::BarrierSync || *d == Dialect::BarrierRed) {
      if (is_partial_barrier(i, block)) {
        need(choice, Mode::Warps, "a barrier for some of the block's threads", i);
        continue;
      }
      const uint64_t id = cast<ConstantInt>(cast<CallInst>(i).getArgOperand(0))->getZExtValue();
      if (barrier && *barrier != id) need(choice, Mode::Warps, "it uses several named barriers", i);
      barrier = id;
    }
  }
  return choice;
}

class Chooser {
 public:
  Chooser(Function& f, const BlockShape& block, uint32_t local_stride)
      : function_(f), block_(block), shapes_(f, block, local_stride), plan_(f, shapes_), post_dominators_(f) {}

  ModeChoice choose(ModeChoice choice, const LoopInfo& loops) {
    SmallVector<Loop*, 4> waiting;
    for (Loop* loop : loops.getLoopsInPreorder())
      if (const Instruction* i = awaited(*loop)) {
        if (choice.mode == Mode::Warps && waits_at_mbarrier(*i)) continue;
        if (choice.mode == Mode::Simt && waits_for_other_blocks(function_, *loop, shapes_))
          waiting.push_back(loop);
        else
          need(choice, Mode::Independent, "a loop waits for memory that another thread writes", *i);
      }
    if (choice.mode == Mode::Independent) return choice;
    find_reach();
    for (Instruction& i : instructions(function_)) {
      if (is_any_barrier(i) && meets_others(i, barriers_))
        need(choice, Mode::Independent, "threads of one warp may meet at different barriers", i);
      if (is_partial_barrier(i, block_) && plan_.partial(i.getParent()))
        need(choice, Mode::Independent, "some lanes of a warp alone arrive at a barrier", i);
      if (is_convergent(i) && !named_by_ballot(i) && meets_others(i, convergent_))
        need(choice, Mode::Independent, "lanes on both sides of a branch may have to meet in .sync operations", i);
    }
    if (choice.mode == Mode::Warps)
      if (const auto problem = LockstepWaits(function_, shapes_, plan_).problem())
        need(choice, Mode::Independent, problem->why, *problem->at);
    if (choice.mode == Mode::Simt)
      for (Loop* loop : waiting) yields_to_blocks(*loop);
    return choice;
  }

 private:
  // At each turn of the loop the block lets others run: that is what nanosleep means in SIMT mode.
  void yields_to_blocks(Loop& loop) {
    Module& module = *function_.getParent();
    Type* i32 = Type::getInt32Ty(module.getContext());
    FunctionCallee sleep =
        module.getOrInsertFunction(name_of(Dialect::Nanosleep), Type::getVoidTy(module.getContext()), i32);
    SmallVector<BasicBlock*, 4> latches;
    loop.getLoopLatches(latches);
    for (BasicBlock* latch : latches) {
      CallInst* call = CallInst::Create(sleep, {ConstantInt::get(i32, 0)}, "", latch->getTerminator()->getIterator());
      call->setDebugLoc(latch->getTerminator()->getDebugLoc());
    }
  }

  // From which blocks a barrier or a collective can be reached.
  void find_reach() {
    for (auto [test, reach] : {std::pair{&is_any_barrier, &barriers_}, std::pair{&is_convergent, &convergent_}}) {
      SmallVector<BasicBlock*, 16> work;
      for (BasicBlock& bb : function_)
        for (Instruction& i : bb)
          if (test(i)) work.push_back(&bb);
      while (!work.empty()) {
        BasicBlock* bb = work.pop_back_val();
        if (reach->insert(bb).second) work.append(pred_begin(bb), pred_end(bb));
      }
    }
  }

  // Whether lanes that diverged at `from` may not have reconverged at `to`: they have where all ways from `from` come
  // together.
  bool apart(BasicBlock& from, BasicBlock* to) {
    auto* node = post_dominators_.getNode(&from);
    BasicBlock* join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    auto [at, fresh] = apart_.try_emplace(&from);
    if (fresh) {
      SmallVector<BasicBlock*, 16> work(successors(&from));
      while (!work.empty()) {
        BasicBlock* bb = work.pop_back_val();
        if (bb != join && at->second.insert(bb).second) work.append(succ_begin(bb), succ_end(bb));
      }
    }
    return at->second.contains(to);
  }

  // Could a lane that is not here be on its way to another such operation?
  bool meets_others(Instruction& i, const SmallPtrSetImpl<BasicBlock*>& reach) {
    BasicBlock* bb = i.getParent();
    if (!plan_.partial(bb)) return false;
    for (BasicBlock& d : function_) {
      if (!plan_.node_of(&d) || !shapes_.diverges(d) || post_dominators_.dominates(bb, &d)) continue;
      if (!reach.contains(&d) || !apart(d, bb)) continue;
      bool all = true;
      for (BasicBlock* s : successors(&d)) all = all && reach.contains(s);
      if (all) return true;
    }
    return false;
  }

  // A member mask made of the active lanes names no other lane.
  static bool named_by_ballot(const Instruction& i) {
    const Value* members = cast<CallInst>(i).getArgOperand(cast<CallInst>(i).arg_size() - 1);
    auto d = dialect_of(members);
    return d && (*d == Dialect::ActiveMask || *d == Dialect::Ballot || *d == Dialect::MatchAny);
  }

  Function& function_;
  const BlockShape& block_;
  LaneShapes shapes_;
  ControlPlan plan_;
  PostDominatorTree post_dominators_;
  SmallPtrSet<BasicBlock*, 16> barriers_, convergent_;
  DenseMap<BasicBlock*, SmallPtrSet<BasicBlock*, 16>> apart_;
};

}  // namespace

ModeChoice choose_mode(Function& function, const BlockShape& block, uint32_t local_stride) {
  DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  ModeChoice choice = choose_by_instructions(function, block, loops);
  return choice.mode == Mode::Independent ? choice
                                          : Chooser(function, block, local_stride).choose(std::move(choice), loops);
}

}  // namespace warpwise::simt
