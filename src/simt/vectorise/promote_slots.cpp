#include "simt/vectorise/promote_slots.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

namespace warpwise::simt {

using namespace llvm;

namespace {

// Moves the initial store to the lowest block that dominates all other uses and is executed as often.
void sink_initial_store(const Slot& slot, const DominatorTree& dominators, const LoopInfo& loops) {
  BasicBlock* start = slot.initial->getParent();
  BasicBlock* lowest = nullptr;
  for (User* user : slot.variable->users()) {
    if (user == slot.initial) continue;
    BasicBlock* block = cast<Instruction>(user)->getParent();
    if (!dominators.isReachableFromEntry(block)) continue;
    lowest = lowest ? dominators.findNearestCommonDominator(lowest, block) : block;
  }
  if (!lowest) return;
  for (Loop* loop = loops.getLoopFor(lowest); loop && !loop->contains(start); loop = loops.getLoopFor(lowest))
    lowest = dominators.getNode(loop->getHeader())->getIDom()->getBlock();
  if (lowest != start) slot.initial->moveBefore(&*lowest->getFirstInsertionPt());
}

}  // namespace

void promote_slots(ArrayRef<Slot> slots, DominatorTree& dominators) {
  const LoopInfo loops(dominators);
  for (const Slot& slot : slots) {
    if (slot.initial) sink_initial_store(slot, dominators, loops);
    SmallVector<Instruction*, 8> accesses;
    for (User* user : slot.variable->users()) accesses.push_back(cast<Instruction>(user));
    SSAUpdater values;
    LoadAndStorePromoter(accesses, values, slot.variable->getName()).run(accesses);
    slot.variable->eraseFromParent();
  }
}

}  // namespace warpwise::simt
