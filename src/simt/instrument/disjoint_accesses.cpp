#include "simt/instrument/disjoint_accesses.h"

#include <llvm/ADT/STLExtras.h>

#include "simt/analysis/barrier_phases.h"
#include "simt/analysis/thread_conflicts.h"
#include "simt/analysis/uniform_choices.h"
#include "simt/compiler.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// A comparison looks at each thread of the block. Kernels with many accesses in a phase would take longer to compile
// than their checks take to run: the rest counts as conflicting.
constexpr uint64_t kMostComparedThreads = 1 << 18;

bool is_shared_access(const Instruction& i) {
  const Value* pointer = ThreadConflicts::pointer_of(const_cast<Instruction&>(i));
  return pointer && pointer->getType()->getPointerAddressSpace() == kShared;
}

bool may_race(const Instruction& a, const Instruction& b) {
  if (isa<LoadInst>(a) && isa<LoadInst>(b)) return false;
  auto is_atomic = [](const Instruction& i) { return isa<AtomicRMWInst, AtomicCmpXchgInst>(i); };
  return !is_atomic(a) || !is_atomic(b);
}

}  // namespace

DenseSet<const Instruction*> disjoint_shared_accesses(Function& kernel, const BlockShape& block) {
  ThreadConflicts conflicts(kernel, block, {.distinct_pointers = false, .ranges = false, .alignments = false});
  DenseSet<const Instruction*> all, conflicting;
  UniformChoices choices(kernel, conflicts.loops());
  uint64_t left = kMostComparedThreads;
  auto conflict = [&](Instruction& a, Instruction& b) {
    if (left < block.threads()) return true;
    left -= block.threads();
    return conflicts.may_conflict(a, b, ThreadConflicts::Among::Threads);
  };
  for_each_phase(kernel, is_shared_access, [&](const Instruction* barrier, ArrayRef<Instruction*> phase) {
    all.insert(phase.begin(), phase.end());
    for (size_t a = 0; a < phase.size(); ++a)
      for (size_t b = a; b < phase.size(); ++b) {
        if (conflicting.contains(phase[a]) && conflicting.contains(phase[b])) continue;
        if (may_race(*phase[a], *phase[b]) && conflict(*phase[a], *phase[b]) &&
            !choices.exclude(barrier, *phase[a], *phase[b]))
          conflicting.insert(phase[a]), conflicting.insert(phase[b]);
      }
  });
  for (const Instruction* i : conflicting) all.erase(i);
  return all;
}

}  // namespace warpwise::simt
