#include "simt/analysis/barrier_phases.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/CFG.h>

#include "simt/analysis/dialect_calls.h"

namespace warpwise::simt {

using namespace llvm;

bool waits_for_block(const Instruction& i) { return is_barrier(i) && dialect_of(&i) != Dialect::BarrierArrive; }

void for_each_phase(Function& kernel, function_ref<bool(const Instruction&)> wanted,
                    function_ref<void(const Instruction*, ArrayRef<Instruction*>)> take) {
  auto phase_from = [&](const Instruction* barrier, BasicBlock* block, BasicBlock::iterator at) {
    SmallVector<Instruction*, 32> phase;
    DenseSet<BasicBlock*> seen;
    SmallVector<BasicBlock*> work;
    // Whether the phase goes on behind the block.
    auto take_from = [&](BasicBlock& bb, BasicBlock::iterator i) {
      for (; i != bb.end(); ++i) {
        if (wanted(*i)) phase.push_back(&*i);
        if (waits_for_block(*i)) return false;
      }
      return true;
    };
    auto add_successors = [&](BasicBlock& bb) {
      for (BasicBlock* next : successors(&bb))
        if (seen.insert(next).second) work.push_back(next);
    };
    if (take_from(*block, at)) add_successors(*block);
    while (!work.empty()) {
      BasicBlock& bb = *work.pop_back_val();
      if (take_from(bb, bb.begin())) add_successors(bb);
    }
    take(barrier, phase);
  };
  phase_from(nullptr, &kernel.getEntryBlock(), kernel.getEntryBlock().begin());
  for (BasicBlock& bb : kernel)
    for (Instruction& i : bb)
      if (waits_for_block(i)) phase_from(&i, &bb, std::next(i.getIterator()));
}

}  // namespace warpwise::simt
