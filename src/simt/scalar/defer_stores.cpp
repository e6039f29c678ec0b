#include "simt/scalar/defer_stores.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "simt/analysis/dialect_calls.h"
#include "simt/analysis/thread_conflicts.h"
#include "simt/instrument/events.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

bool is_barrier(const Instruction& i) {
  auto d = dialect_of(&i);
  return d && (*d == Dialect::BarrierSync || *d == Dialect::BarrierRed);
}

bool is_reached_by_others(unsigned space) { return space == kGlobal || space == kShared || space == kGeneric; }

bool is_plain_store(const Instruction& i) {
  auto* store = dyn_cast<StoreInst>(&i);
  return store && store->isSimple() && is_reached_by_others(store->getPointerAddressSpace());
}

// Reads memory that threads share, in whatever way.
bool reads(const Instruction& i) {
  if (auto* load = dyn_cast<LoadInst>(&i)) return is_reached_by_others(load->getPointerAddressSpace());
  return isa<AtomicRMWInst, AtomicCmpXchgInst>(i);
}

// Makes earlier stores of the thread visible.
bool commits(const Instruction& i) {
  if (isa<FenceInst, AtomicRMWInst, AtomicCmpXchgInst>(i)) return true;
  if (auto* store = dyn_cast<StoreInst>(&i)) return !store->isSimple();
  auto d = dialect_of(&i);
  if (!d) return false;
  switch (*d) {
    case Dialect::Mbarrier:
    case Dialect::BarrierArrive:
    case Dialect::ClusterArrive:
    case Dialect::BulkCopy:
    case Dialect::TensorCopy:
    case Dialect::Multimem:
      return true;
    default:
      return false;
  }
}

bool is_commit(const Instruction& i) {
  auto d = dialect_of(&i);
  if (!d || *d != Dialect::Event) return false;
  auto* code = dyn_cast<ConstantInt>(cast<CallInst>(i).getArgOperand(1));
  return code && kind_of(uint32_t(code->getZExtValue())) == EventKind::CommitStores;
}

// The accesses of each phase: what is reached from the entry or from a barrier without crossing another one.
class Phases {
 public:
  explicit Phases(Function& function) {
    phase_of({&function.getEntryBlock(), function.getEntryBlock().begin()});
    for (BasicBlock& bb : function)
      for (Instruction& i : bb)
        if (is_barrier(i)) phase_of({&bb, std::next(i.getIterator())});
  }
  struct Phase {
    SmallVector<Instruction*, 16> reads, stores;
  };
  const std::vector<Phase>& all() const { return phases_; }

 private:
  struct Point {
    BasicBlock* block;
    BasicBlock::iterator at;
  };

  void phase_of(Point start) {
    Phase phase;
    DenseSet<BasicBlock*> seen;
    SmallVector<Point> work{start};
    while (!work.empty()) {
      auto [block, at] = work.pop_back_val();
      bool ended = false;
      for (; at != block->end() && !ended; ++at) {
        if (reads(*at)) phase.reads.push_back(&*at);
        if (is_plain_store(*at)) phase.stores.push_back(&*at);
        ended = is_barrier(*at);
      }
      if (ended) continue;
      for (BasicBlock* next : successors(block))
        if (seen.insert(next).second) work.push_back({next, next->begin()});
    }
    if (!phase.stores.empty()) phases_.push_back(std::move(phase));
  }

  std::vector<Phase> phases_;
};

class Deferrer {
 public:
  Deferrer(Module& module, Function& kernel, const BlockShape& block, bool distinct_pointers)
      : module_(module),
        kernel_(kernel),
        block_(block),
        conflicts_(kernel, block, distinct_pointers),
        b_(module.getContext()) {}

  DeferredStores defer() {
    if (block_.warps() == 1) return {};
    find_deferred();
    const bool calls = any_of(module_, [&](Function& f) { return !f.isDeclaration() && &f != &kernel_; });
    if (calls)
      for (Function& f : module_)
        if (!f.isDeclaration() && &f != &kernel_)
          for (Instruction& i : instructions(f))
            if (is_plain_store(i)) deferred_.insert(&i);
    DeferredStores result{!deferred_.empty(), conflicts_.used_distinct_pointers()};
    for (Instruction* store : deferred_) note(cast<StoreInst>(*store));
    if (!deferred_.empty())
      for (Function& f : module_)
        for (Instruction& i : make_early_inc_range(instructions(f)))
          if (commits(i)) event(i, pack(event::CommitStores{}), b_.getInt64(0));
    return result;
  }

  void order() {
    if (block_.threads() == 1) return;
    find_ordered();
    // What one lane makes visible is what all lanes have stored so far, and nothing that they store afterwards.
    for (Function& f : module_)
      for (Instruction& i : instructions(f))
        if (is_commit(i)) ordered_.insert(&i), ordered_.insert(i.getNextNode());
    FunctionCallee wait = module_.getOrInsertFunction(name_of(Dialect::LaneOrder), b_.getVoidTy());
    for (Instruction* access : ordered_)
      CallInst::Create(wait, {}, "", access->getIterator())->setDebugLoc(access->getDebugLoc());
  }

 private:
  void find_deferred() {
    const Phases phases(kernel_);
    for (const auto& phase : phases.all()) {
      for (Instruction* store : phase.stores)
        if (!deferred_.contains(store) &&
            any_of(phase.reads, [&](Instruction* read) { return conflicts_.may_conflict(*store, *read); }))
          deferred_.insert(store);
      // What such a store may overwrite is deferred as well, so that the last warp's value is what stays.
      for (bool more = true; more;) {
        more = false;
        for (Instruction* store : phase.stores)
          if (!deferred_.contains(store) && any_of(phase.stores, [&](Instruction* other) {
                return deferred_.contains(other) && conflicts_.may_conflict(*store, *other);
              }))
            more = deferred_.insert(store) || more;
      }
    }
  }

  void find_ordered() {
    const Phases phases(kernel_);
    for (const auto& phase : phases.all())
      for (Instruction* store : phase.stores) {
        for (Instruction* read : phase.reads)
          if (conflicts_.may_conflict(*store, *read, /*lanes=*/true)) ordered_.insert(store), ordered_.insert(read);
        for (Instruction* other : phase.stores)
          if (other != store && conflicts_.may_conflict(*store, *other, /*lanes=*/true)) ordered_.insert(store);
      }
  }

  void note(StoreInst& store) {
    const event::DeferStore what{uint8_t(ThreadConflicts::bytes_of(store))};
    b_.SetInsertPoint(&store);
    Value* address = address_of(store.getPointerOperand());
    if (store.getPointerAddressSpace() == kShared) {
      FunctionCallee base = module_.getOrInsertFunction(name_of(Dialect::SharedBase), b_.getInt64Ty());
      address = b_.CreateAdd(b_.CreateCall(base, {}), address);
    }
    event(store, pack(what), address);
  }

  // The number that a pointer is made of: addresses are integers (dialect.h).
  Value* address_of(Value* pointer) {
    if (auto* cast = dyn_cast<IntToPtrInst>(pointer)) return cast->getOperand(0);
    if (auto* constant = dyn_cast<ConstantExpr>(pointer); constant && constant->getOpcode() == Instruction::IntToPtr)
      return constant->getOperand(0);
    return isa<ConstantPointerNull>(pointer) ? b_.getInt64(0) : b_.CreatePtrToInt(pointer, b_.getInt64Ty());
  }

  void event(Instruction& before, uint32_t what, Value* address) {
    Type *i64 = b_.getInt64Ty(), *none = b_.getVoidTy();
    FunctionCallee callee =
        module_.getOrInsertFunction(name_of(Dialect::Event), none, b_.getInt1Ty(), b_.getInt32Ty(), i64, i64);
    b_.SetInsertPoint(&before);
    b_.SetCurrentDebugLocation(before.getDebugLoc());
    b_.CreateCall(callee, {b_.getTrue(), b_.getInt32(what), address, b_.getInt64(0)});
  }

  Module& module_;
  Function& kernel_;
  const BlockShape block_;
  ThreadConflicts conflicts_;
  IRBuilder<> b_;
  SetVector<Instruction*> deferred_, ordered_;
};

}  // namespace

DeferredStores defer_stores(Module& module, Function& kernel, const BlockShape& block, bool distinct_pointers) {
  return Deferrer(module, kernel, block, distinct_pointers).defer();
}

void order_lanes(Module& module, Function& kernel, const BlockShape& block, bool distinct_pointers) {
  Deferrer(module, kernel, block, distinct_pointers).order();
}

}  // namespace warpwise::simt
