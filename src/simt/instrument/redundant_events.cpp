#include "simt/instrument/redundant_events.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

#include "simt/instrument/events.h"
#include "simt/instrument/expand_events.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

struct KnownEvent {
  CallInst* call;
  Event what;
  bool of_mask() const {
    return what.kind == EventKind::Collective ||
           (what.kind == EventKind::Reconvergence && what.bytes == uint8_t(ReconvergenceOf::Collectives));
  }
  bool of_barrier() const {
    return what.kind == EventKind::Barrier ||
           (what.kind == EventKind::Reconvergence && what.bytes != uint8_t(ReconvergenceOf::Collectives));
  }
  bool by_all_lanes() const {
    auto* lanes = dyn_cast<Constant>(call->getArgOperand(2));
    return lanes && lanes->isAllOnesValue();
  }
  // The low half of a collective's address.
  bool names_all_lanes() const {
    auto* addresses = dyn_cast<Constant>(call->getArgOperand(4));
    auto* mask = addresses ? dyn_cast_or_null<ConstantInt>(addresses->getSplatValue()) : nullptr;
    return mask && uint32_t(mask->getZExtValue()) == ~uint32_t{0};
  }
};

SmallVector<KnownEvent, 16> told_in(Function& function) {
  SmallVector<KnownEvent, 16> all;
  for (Instruction& i : instructions(function)) {
    auto* call = dyn_cast<CallInst>(&i);
    auto* code = call && is_told(*call) ? dyn_cast<ConstantInt>(call->getArgOperand(3)) : nullptr;
    if (code) all.push_back({call, Event::unpack(uint32_t(code->getZExtValue()))});
  }
  return all;
}

// Where warps are apart: between a branch at which they part and the place where they are together again.
SmallPtrSet<const BasicBlock*, 16> apart_in(Function& function, const BlockUniformity& uniform) {
  SmallPtrSet<const BasicBlock*, 16> apart;
  PostDominatorTree after(function);
  for (BasicBlock& bb : function) {
    if (!uniform.parts(bb)) continue;
    auto* node = after.getNode(&bb);
    const BasicBlock* together = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    SmallVector<const BasicBlock*, 8> work(successors(&bb));
    while (!work.empty()) {
      const BasicBlock* b = work.pop_back_val();
      if (b == together || !apart.insert(b).second) continue;
      work.append(succ_begin(b), succ_end(b));
    }
  }
  return apart;
}

}  // namespace

RedundantEvents find_redundant_events(Function& warp_function, const BlockUniformity& uniform) {
  const auto all = told_in(warp_function);
  const auto apart = apart_in(warp_function, uniform);
  RedundantEvents redundant{true, true};
  for (const KnownEvent& told : all) {
    if (told.of_mask())
      redundant.masks =
          redundant.masks && told.by_all_lanes() && (told.what.kind != EventKind::Collective || told.names_all_lanes());
    if (told.of_barrier())
      redundant.barriers = redundant.barriers && told.by_all_lanes() && !apart.contains(told.call->getParent());
  }
  return redundant;
}

void drop_redundant_events(Function& region, const RedundantEvents& redundant) {
  for (const KnownEvent& told : told_in(region))
    if ((redundant.barriers && told.of_barrier()) || (redundant.masks && told.of_mask())) told.call->eraseFromParent();
}

}  // namespace warpwise::simt
