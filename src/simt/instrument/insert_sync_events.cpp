#include "simt/instrument/insert_sync_events.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <vector>

#include "simt/analysis/dialect_calls.h"
#include "simt/instrument/events.h"
#include "simt/instrument/undefined_values.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// Which argument is the member mask; nothing: not an operation by mask.
std::optional<unsigned> mask_argument(Dialect which) {
  switch (which) {
    case Dialect::WarpSync:
    case Dialect::Elect:
      return 0;
    case Dialect::ShflUp:
    case Dialect::ShflDown:
    case Dialect::ShflBfly:
    case Dialect::ShflIdx:
      return 3;
    case Dialect::Ballot:
    case Dialect::VoteAll:
    case Dialect::VoteAny:
    case Dialect::VoteUni:
      return 1;
    case Dialect::MatchAny:
    case Dialect::MatchAll:
      return 1;
    case Dialect::Redux:
      return 2;
    default:
      return std::nullopt;
  }
}

// Whether every lane that shuffles uses what it gets. Lanes without a source may not reach a use behind a branch, or in
// a choice. Where all read one lane, no lane has a source if that lane is inactive.
bool is_used_by_all(Instruction& shuffle, bool one_source) {
  SmallVector<Value*, 8> work{&shuffle};
  SmallPtrSet<Value*, 16> seen;
  while (!work.empty()) {
    for (User* user : work.pop_back_val()->users()) {
      auto* i = dyn_cast<Instruction>(user);
      if (!i) continue;
      if (!one_source && (i->getParent() != shuffle.getParent() || isa<PHINode>(i) || isa<SelectInst>(i))) continue;
      if (auto* field = dyn_cast<ExtractValueInst>(i); field && field->getIndices()[0] != 0) continue;
      // Halves of a wider value are shuffled one by one and put together.
      const bool reshapes = isa<CastInst>(i) || isa<ExtractValueInst>(i) || i->getOpcode() == Instruction::Or ||
                            i->getOpcode() == Instruction::Shl;
      if (!reshapes) return true;
      if (seen.insert(i).second) work.push_back(i);
    }
  }
  return false;
}

class SyncEvents {
 public:
  explicit SyncEvents(Function& function)
      : function_(function),
        b_(function.getContext()),
        dominators_(function),
        post_dominators_(function),
        loops_(dominators_) {}

  void run() {
    SmallVector<CallInst*, 32> calls;
    for (Instruction& i : instructions(function_)) {
      auto which = dialect_of(&i);
      if (!which || i.hasMetadata(kAddedCollective)) continue;
      if (*which == Dialect::BarrierSync || *which == Dialect::BarrierRed)
        for (BasicBlock* point : points_behind(*i.getParent(), /*with_end=*/true)) points_of_barriers_.insert(point);
      else if (mask_argument(*which))
        calls.push_back(cast<CallInst>(&i));
    }
    for (CallInst* call : calls) instrument(*call);
    // One number for a place, however many barriers it lies behind.
    SmallVector<std::pair<BasicBlock*, event::Reconvergence::Of>, 8> numbered;
    for (BasicBlock* point : points_of_barriers_)
      numbered.push_back(
          {point, ends_kernel(*point) ? event::Reconvergence::Of::End : event::Reconvergence::Of::Barriers});
    uint64_t number = 0;
    for (auto [point, of] : numbered) report_reconvergence(*point, of, ++number);
    for (size_t group = 0; group < groups_.size(); ++group)
      for (size_t n = 0; n < groups_[group].size(); ++n)
        report_reconvergence(*groups_[group][n], event::Reconvergence::Of::Collectives, (group + 1) | n << 32);
  }

 private:
  using Points = std::vector<BasicBlock*>;

  Points points_behind(BasicBlock& at, bool with_end = false) {
    Points found;
    auto add = [&](BasicBlock* point) {
      if (point && (with_end || !ends_kernel(*point)) && !is_contained(found, point)) found.push_back(point);
    };
    add(first_behind(at, [&](BasicBlock* block) { return !dominators_.dominates(&at, block); }));
    for (Loop* loop = loops_.getLoopFor(&at); loop; loop = loop->getParentLoop()) {
      add(first_behind(at, [&](BasicBlock* block) { return !loop->contains(block); }));
      // Threads that never come to the loop, as in `if (i < n) for (...) __syncthreads();`.
      add(first_behind(at, [&](BasicBlock* block) { return !dominators_.dominates(loop->getHeader(), block); }));
    }
    return found;
  }

  template <class Test>
  BasicBlock* first_behind(BasicBlock& at, Test test) {
    auto* node = post_dominators_.getNode(&at);
    while (node && (node = node->getIDom()) && node->getBlock())
      if (test(node->getBlock())) return node->getBlock();
    return nullptr;
  }

  // Nothing of the program is left to do from here.
  static bool ends_kernel(BasicBlock& from) {
    SmallPtrSet<BasicBlock*, 4> seen;
    for (BasicBlock* block = &from; seen.insert(block).second;) {
      Instruction* first = &*block->getFirstNonPHIOrDbg();
      if (isa<ReturnInst>(first) || isa<UnreachableInst>(first)) return true;
      auto* branch = dyn_cast<BranchInst>(first);
      if (!branch || branch->isConditional()) return false;
      block = branch->getSuccessor(0);
    }
    return false;
  }

  template <class Event>
  void report(const Event& event, Value* address, Value* value) {
    Type* none = b_.getVoidTy();
    FunctionCallee callee = function_.getParent()->getOrInsertFunction(
        name_of(Dialect::Event), none, b_.getInt1Ty(), b_.getInt32Ty(), b_.getInt64Ty(), b_.getInt64Ty());
    b_.CreateCall(callee, {b_.getTrue(), b_.getInt32(pack(event)), address, value});
  }

  void instrument(CallInst& call) {
    const Dialect which = *dialect_of(&call);
    b_.SetInsertPoint(&call);
    auto wide = [&](unsigned argument) { return b_.CreateZExt(call.getArgOperand(argument), b_.getInt64Ty()); };
    event::Collective collective;
    Value* source = b_.getInt64(0);
    if (is_shuffle(which)) {
      collective.is_shuffle = true;
      collective.mode = uint8_t(unsigned(which) - unsigned(Dialect::ShflUp));
      collective.used_by_all =
          is_used_by_all(call, which == Dialect::ShflIdx && isa<ConstantInt>(call.getArgOperand(1)));
      source = b_.CreateOr(wide(1), b_.CreateShl(wide(2), 32));
    }
    const Points points = points_behind(*call.getParent());
    uint64_t group = 0;
    if (!points.empty()) {
      auto found = std::find(groups_.begin(), groups_.end(), points);
      group = static_cast<uint64_t>(found - groups_.begin()) + 1;
      if (found == groups_.end()) groups_.push_back(points);
    }
    report(collective, b_.CreateOr(wide(*mask_argument(which)), b_.getInt64(group << 32)), source);
  }

  void report_reconvergence(BasicBlock& point, event::Reconvergence::Of of, uint64_t number) {
    Instruction* first = &*point.getFirstInsertionPt();
    b_.SetInsertPoint(first);
    // The place of something that the program does there: a call must have one, and the checker asks the source about
    // it. What is only computed there may come from elsewhere.
    DebugLoc place;
    for (Instruction& i : point)
      if (!place && i.mayHaveSideEffects()) place = i.getDebugLoc();
    for (Instruction& i : point)
      if (!place) place = i.getDebugLoc();
    b_.SetCurrentDebugLocation(place);
    report(event::Reconvergence{of}, b_.getInt64(number), b_.getInt64(0));
  }

  Function& function_;
  IRBuilder<> b_;
  DominatorTree dominators_;
  PostDominatorTree post_dominators_;
  LoopInfo loops_;
  SetVector<BasicBlock*> points_of_barriers_;
  std::vector<Points> groups_;  // of collectives with the same reconvergence points; numbered from 1
};

}  // namespace

void insert_sync_events(Function& function) { SyncEvents(function).run(); }

}  // namespace warpwise::simt
