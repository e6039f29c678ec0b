#include "simt/thread/yield_at_back_edges.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "simt/analysis/dialect_calls.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// A loop that ends by counting waits for no thread; one whose exit depends on memory, or on a call, may.
bool may_wait(const Loop& loop) {
  SmallVector<BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  SmallVector<const Value*, 16> work;
  SmallPtrSet<const Value*, 32> seen;
  for (BasicBlock* bb : exiting) work.push_back(bb->getTerminator());
  if (exiting.empty()) return true;
  while (!work.empty()) {
    auto* i = dyn_cast<Instruction>(work.pop_back_val());
    if (!i || !loop.contains(i) || !seen.insert(i).second) continue;
    if (i->mayReadOrWriteMemory() && !(dialect_of(i) && class_of(*dialect_of(i)) == DialectClass::Thread)) return true;
    if (auto* phi = dyn_cast<PHINode>(i))
      for (BasicBlock* from : phi->blocks())
        if (loop.contains(from)) work.push_back(from->getTerminator());
    work.append(i->op_begin(), i->op_end());
  }
  return false;
}

}  // namespace

void yield_at_back_edges(ThreadBuilder& t) {
  DominatorTree dominators(t.function);
  LoopInfo loops(dominators);
  SmallVector<std::pair<BasicBlock*, BasicBlock*>> edges;
  for (Loop* loop : loops.getLoopsInPreorder()) {
    if (!may_wait(*loop)) continue;
    SmallVector<BasicBlock*, 4> latches;
    loop->getLoopLatches(latches);
    for (BasicBlock* latch : latches) edges.push_back({latch, loop->getHeader()});
  }
  for (auto [latch, header] : edges) {
    Instruction* jump = latch->getTerminator();
    const DebugLoc place = jump->getDebugLoc();
    if (jump->getNumSuccessors() > 1) {
      BasicBlock* again = SplitEdge(latch, header);
      jump = again->getTerminator();
      jump->setDebugLoc(place);
    }
    t.b.SetInsertPoint(jump);
    t.invoke(Service::yield, {t.thread, t.site(*jump)});
  }
}

}  // namespace warpwise::simt
