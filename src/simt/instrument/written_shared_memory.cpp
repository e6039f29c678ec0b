#include "simt/instrument/written_shared_memory.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>

#include "simt/analysis/barrier_loops.h"
#include "simt/analysis/barrier_phases.h"
#include "simt/analysis/block_uniformity.h"
#include "simt/analysis/divergence.h"
#include "simt/analysis/thread_conflicts.h"
#include "simt/compiler.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// Each turn of each access looks at every thread of the block. Beyond this, accesses are checked as they run.
constexpr uint64_t kMostThreads = 1 << 20;

class WrittenSharedMemory {
 public:
  WrittenSharedMemory(Function& kernel, const BlockShape& block, ArrayRef<SharedBytes> variables)
      : kernel_(kernel),
        block_(block),
        dominators_(kernel),
        post_dominators_(kernel),
        uniform_(kernel, {}, BlockUniformity::Loads::Constant),
        diverged_(diverged_blocks(kernel, [this](const BasicBlock& bb) { return parts(bb); })),
        values_(kernel, block, /*ranges=*/false),
        loops_(kernel, block, /*ranges=*/false) {
    uint64_t end = 0;
    for (const SharedBytes& v : variables) end = std::max(end, v.offset + v.size);
    memory_.resize(unsigned(end));
    for (const SharedBytes& v : variables) memory_.set(unsigned(v.offset), unsigned(v.offset + v.size));
  }

  DenseSet<const Instruction*> find() {
    DenseSet<const Instruction*> found;
    if (memory_.empty() || loops_.may_meet_elsewhere()) return found;
    for (Instruction& i : instructions(kernel_))
      if (waits_for_block(i)) barriers_.push_back(&i);
    if (barriers_.empty()) return found;
    find_stores();
    if (stores_.empty()) return found;
    for (Instruction& i : instructions(kernel_))
      if (is_shared_access(i) && lies_in_written(i)) found.insert(&i);
    return found;
  }

 private:
  // A store that every thread makes, and the bytes that they all write together.
  struct Written {
    Instruction* store;
    BitVector bytes;
  };

  static bool is_shared_access(Instruction& i) {
    Value* pointer = ThreadConflicts::pointer_of(i);
    return pointer && pointer->getType()->getPointerAddressSpace() == kShared;
  }

  void find_stores() {
    for (Instruction& i : instructions(kernel_)) {
      if (!isa<StoreInst>(i) || !is_shared_access(i)) continue;
      if (!is_made_by_all(*i.getParent())) continue;
      BitVector bytes(memory_.size());
      if (touches(i, values_, memory_, &bytes)) stores_.push_back({&i, std::move(bytes)});
    }
  }

  // Whether threads may leave a block in different directions.
  bool parts(const BasicBlock& bb) const {
    return uniform_.parts(bb) || (!isa<BranchInst>(bb.getTerminator()) && succ_size(&bb) > 1);
  }

  // Whether all threads come to a block before they end, or none does where all are together.
  bool is_made_by_all(const BasicBlock& bb) const {
    return post_dominators_.dominates(&bb, &kernel_.getEntryBlock()) || !diverged_.contains(&bb);
  }

  // Whether all that the threads access lies in `within`, and is aligned; `touched` becomes what that is.
  bool touches(Instruction& access, AffineValues& values, const BitVector& within, BitVector* touched) {
    if (left_ < block_.threads()) return false;
    left_ -= block_.threads();
    const AffineForm& form = values.of(ThreadConflicts::pointer_of(access));
    const std::vector<bool>& threads = values.threads_at(access.getParent());
    const uint64_t bytes = ThreadConflicts::bytes_of(access);
    if (!form.is_constant()) return false;
    for (unsigned t = 0; t < block_.threads(); ++t) {
      if (!threads[t]) continue;
      const int64_t at = form.constant.at(t);
      if (at < 0 || uint64_t(at) % bytes != 0 || uint64_t(at) + bytes > within.size()) return false;
      const unsigned first = unsigned(at), end = unsigned(uint64_t(at) + bytes);
      for (unsigned b = first; b < end; ++b)
        if (!within.test(b)) return false;
      if (touched) touched->set(first, end);
    }
    return true;
  }

  // Whether all threads have made the store before any of them makes the access: there is a barrier between them.
  bool is_behind(Instruction& access, const Instruction& store) {
    return any_of(barriers_, [&](Instruction* barrier) {
      return dominators_.dominates(&store, barrier) && dominators_.dominates(barrier, &access);
    });
  }

  bool lies_in_written(Instruction& access) {
    if (access.hasMetadata("ww.group")) return false;  // of a vector, which is aligned as a whole
    BitVector written(memory_.size());
    for (const Written& w : stores_)
      if (is_behind(access, *w.store)) written |= w.bytes;
    if (written.none()) return false;
    if (touches(access, values_, written, nullptr)) return true;
    const BarrierLoops::Turns* turns = loops_.turns_of(access, access);
    return turns && all_of(*turns, [&](const auto& values) { return touches(access, *values, written, nullptr); });
  }

  Function& kernel_;
  const BlockShape block_;
  DominatorTree dominators_;
  PostDominatorTree post_dominators_;
  BlockUniformity uniform_;
  SmallPtrSet<const BasicBlock*, 16> diverged_;  // those that some threads may come to without the others
  AffineValues values_;
  BarrierLoops loops_;
  BitVector memory_;  // bytes of variables
  SmallVector<Instruction*, 8> barriers_;
  std::vector<Written> stores_;
  uint64_t left_ = kMostThreads;
};

}  // namespace

DenseSet<const Instruction*> accesses_of_written_shared_memory(Function& kernel, const BlockShape& block,
                                                               ArrayRef<SharedBytes> variables) {
  return WrittenSharedMemory(kernel, block, variables).find();
}

}  // namespace warpwise::simt
