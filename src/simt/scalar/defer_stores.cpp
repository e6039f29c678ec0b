#include "simt/scalar/defer_stores.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "simt/analysis/barrier_phases.h"
#include "simt/analysis/dialect_calls.h"
#include "simt/analysis/thread_conflicts.h"
#include "simt/analysis/uniform_choices.h"
#include "simt/instrument/event_calls.h"
#include "simt/lane_order.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

bool is_reached_by_others(unsigned space) { return space == kGlobal || space == kShared || space == kGeneric; }

bool is_plain_store(const Instruction& i) {
  auto* store = dyn_cast<StoreInst>(&i);
  return store && store->isSimple() && is_reached_by_others(store->getPointerAddressSpace());
}

bool loads_matrix(const Instruction& i) {
  const auto d = dialect_of(&i);
  return d == Dialect::LdMatrix1 || d == Dialect::LdMatrix2 || d == Dialect::LdMatrix4;
}

// A function of the program: it may read anything.
bool calls_function(const Instruction& i) { return isa<CallInst>(i) && !isa<IntrinsicInst>(i) && !dialect_of(&i); }

// Reads memory that threads share, in whatever way.
bool reads(const Instruction& i) {
  if (auto* load = dyn_cast<LoadInst>(&i)) return is_reached_by_others(load->getPointerAddressSpace());
  return isa<AtomicRMWInst, AtomicCmpXchgInst>(i) || loads_matrix(i) || calls_function(i);
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
    // They store at once: what was deferred before must not come after.
    case Dialect::StMatrix1:
    case Dialect::StMatrix2:
    case Dialect::StMatrix4:
      return true;
    default:
      return false;
  }
}

// What is told of an access before it is made.
bool tells_of_access(const Instruction& i) {
  switch (dialect_of(&i).value_or(Dialect::LaneOrder)) {
    case Dialect::Event:
      return is_event(i, EventKind::DeferStore) || is_event(i, EventKind::Access);
    case Dialect::Race:
    case Dialect::ShadowCheck:
    case Dialect::ShadowLoad32:
    case Dialect::ShadowLoad64:
    case Dialect::ShadowStore:
      return true;
    default:
      return false;
  }
}

// The first of the calls that tell of it, which stand right before it; else the access itself.
Instruction& with_its_events(Instruction& access) {
  Instruction* first = &access;
  for (Instruction* at = access.getPrevNode(); at; at = at->getPrevNode())
    if (tells_of_access(*at))
      first = at;
    else if (at->mayHaveSideEffects() || at->mayReadFromMemory() || isa<PHINode>(at))
      break;
  return *first;
}

// The accesses of each phase with a store (analysis/barrier_phases.h).
class Phases {
 public:
  explicit Phases(Function& function) {
    auto matters = [](const Instruction& i) { return reads(i) || is_plain_store(i) || commits(i); };
    for_each_phase(function, matters, [&](const Instruction* barrier, ArrayRef<Instruction*> instructions) {
      Phase phase{.barrier = barrier};
      for (Instruction* i : instructions) {
        if (reads(*i)) phase.reads.push_back(i);
        if (is_plain_store(*i)) phase.stores.push_back(i);
        if (commits(*i)) phase.commits.push_back(i);
      }
      if (!phase.stores.empty()) phases_.push_back(std::move(phase));
    });
  }
  struct Phase {
    const Instruction* barrier;  // behind which it begins; null: the entry
    SmallVector<Instruction*, 16> reads, stores, commits;
  };
  const std::vector<Phase>& all() const { return phases_; }

 private:
  std::vector<Phase> phases_;
};

// Offsets in shared memory, in whole pieces of the largest store, so that no store reaches over the borders.
struct Range {
  uint64_t first = ~uint64_t{0}, end = 0;  // nothing yet
  bool anywhere = false;

  bool is_known() const { return !anywhere && first < end; }
  // Whether that made it larger.
  bool add(const Range& other) {
    const Range before = *this;
    first = std::min(first, other.first), end = std::max(end, other.end), anywhere |= other.anywhere;
    return first != before.first || end != before.end || anywhere != before.anywhere;
  }
  void add(const std::optional<ThreadConflicts::Range>& other) {
    if (other)
      add(Range{alignDown(other->first, kLargestStore), alignTo(other->end, kLargestStore), false});
    else
      anywhere = true;
  }

  static constexpr uint64_t kLargestStore = 16;
};

class Deferrer {
 public:
  Deferrer(Module& module, Function& kernel, const BlockShape& block, const MayAssume& may_assume)
      : module_(module),
        kernel_(kernel),
        block_(block),
        conflicts_(kernel, block, may_assume),
        choices_(kernel, conflicts_.loops()),
        b_(module.getContext()) {}

  DeferredStores defer() {
    if (block_.warps() == 1) return {};
    const Phases phases(kernel_);
    find_deferred(phases);
    drop_committed_at_once(phases);
    find_ranges(phases);
    const bool calls = any_of(module_, [&](Function& f) { return !f.isDeclaration() && &f != &kernel_; });
    if (calls)
      for (Function& f : module_)
        if (!f.isDeclaration() && &f != &kernel_)
          for (Instruction& i : instructions(f))
            if (is_plain_store(i)) deferred_.insert(&i);
    const SetVector<Instruction*> committing = find_committing(phases, calls);
    for (Instruction* store : deferred_) note(cast<StoreInst>(*store));
    for (Instruction* i : committing) event(*i, b_.getTrue(), pack(event::CommitStores{}), b_.getInt64(0));
    return {!deferred_.empty(), conflicts_.assumed()};
  }

  LaunchAssumptions order() {
    if (block_.threads() == 1) return {};
    find_ordered();
    // What one lane makes visible is what all lanes have stored so far, and nothing that they store afterwards.
    for (Function& f : module_)
      for (Instruction& i : instructions(f))
        if (is_event(i, EventKind::CommitStores)) ordered_.insert(&i), ordered_.insert(i.getNextNode());
    // Lanes that have stored in another order print in their own.
    if (!to_one_place_.empty())
      for (Function& f : module_)
        for (Instruction& i : instructions(f))
          if (dialect_of(&i) == Dialect::Vprintf) ordered_.insert(&i);
    FunctionCallee wait = module_.getOrInsertFunction(name_of(Dialect::LaneOrder), b_.getVoidTy(), b_.getInt32Ty());
    // Before the events: no other lane runs between what the log and the checkers are told of a store and the store.
    for (Instruction* access : ordered_)
      CallInst::Create(wait, {b_.getInt32(at_once(*access))}, "", with_its_events(*access).getIterator())
          ->setDebugLoc(access->getDebugLoc());
    return conflicts_.assumed();
  }

 private:
  // ww.lane_order's operand: 0 where the lanes come in their own order.
  unsigned at_once(const Instruction& access) const {
    return to_one_place_.contains(&access) ? stored_at_once(bytes_stored(cast<StoreInst>(access))) : 0;
  }

  void find_deferred(const Phases& phases) {
    for (const auto& phase : phases.all()) {
      for (Instruction* store : phase.stores)
        if (!deferred_.contains(store) && any_of(phase.reads, [&](Instruction* read) {
              return may_conflict(*store, *read) && !choices_.exclude(phase.barrier, *store, *read);
            }))
          deferred_.insert(store);
      close(phase);
    }
  }

  // What a deferred store may overwrite is deferred as well, so that the last warp's value is what stays; and what may
  // overwrite it in its own warp, because what is published is what the last deferred store had.
  void close(const Phases::Phase& phase) {
    for (bool more = true; more;) {
      more = false;
      for (Instruction* store : phase.stores)
        if (!deferred_.contains(store) && any_of(phase.stores, [&](Instruction* other) {
              return deferred_.contains(other) &&
                     conflicts_.may_conflict(*store, *other, ThreadConflicts::Among::All) &&
                     !choices_.exclude(phase.barrier, *store, *other);
            }))
          more = deferred_.insert(store) || more;
    }
  }

  // Mostly no other warp runs between such a store and what commits it: it may as well be visible at once, unless it
  // may overwrite one that is deferred. The region is not interleaved with other warps', since it has an operation that
  // commits.
  void drop_committed_at_once(const Phases& phases) {
    deferred_.remove_if([](Instruction* store) { return is_committed_at_once(*store); });
    for (size_t before = ~size_t{0}; std::exchange(before, deferred_.size()) != deferred_.size();)
      for (const auto& phase : phases.all()) close(phase);
  }

  // ldmatrix reads shared memory alone; where, is not asked.
  bool may_conflict(Instruction& store, Instruction& read) {
    if (loads_matrix(read)) return cast<StoreInst>(store).getPointerAddressSpace() != kGlobal;
    return conflicts_.may_conflict(store, read);
  }

  static bool is_committed_at_once(Instruction& store) {
    SmallPtrSet<BasicBlock*, 8> seen;
    SmallVector<Instruction*, 8> work{store.getNextNode()};
    while (!work.empty()) {
      Instruction* at = work.pop_back_val();
      while (at && !commits(*at)) {
        if (may_stop(*at)) return false;
        if (at->isTerminator())
          for (BasicBlock* next : successors(at->getParent()))
            if (seen.insert(next).second) work.push_back(&next->front());
        at = at->getNextNode();
      }
    }
    return true;
  }

  // Other warps may run before the thread goes on, or it ends. A loop may be one that waits.
  static bool may_stop(const Instruction& i) {
    if (isa<ReturnInst, UnreachableInst>(i)) return true;
    if (auto* load = dyn_cast<LoadInst>(&i)) return !load->isSimple();
    auto* call = dyn_cast<CallInst>(&i);
    if (!call || isa<IntrinsicInst>(call)) return false;
    auto d = dialect_of(call);
    return !d || waits_for_block(i) || class_of(*d) == DialectClass::Effect;
  }

  // Shared memory that the reads of a phase touch, where that is known: only what is stored there needs to wait. Phases
  // with a store in common have one range, so that of two stores to one word both wait or none. Stores by generic
  // addresses wait wherever they go, and so do all others beside them.
  void find_ranges(const Phases& phases) {
    std::vector<Range> ranges;
    for (const auto& phase : phases.all()) {
      Range range;
      for (Instruction* read : phase.reads)
        if (any_of(phase.stores,
                   [&](Instruction* store) { return waits_in_shared_memory(store) && may_conflict(*store, *read); }))
          range.add(conflicts_.shared_range(*read));
      range.anywhere |= any_of(phase.stores, [&](Instruction* store) {
        return deferred_.contains(store) && cast<StoreInst>(store)->getPointerAddressSpace() == kGeneric;
      });
      ranges.push_back(range);
    }
    for (bool more = true; more;) {
      more = false;
      for (size_t p = 0; p < ranges.size(); ++p)
        for (Instruction* store : phases.all()[p].stores)
          if (waits_in_shared_memory(store)) {
            Range& of_store = ranges_.try_emplace(store).first->second;
            more |= of_store.add(ranges[p]);
            more |= ranges[p].add(of_store);
          }
    }
  }

  bool waits_in_shared_memory(Instruction* store) const {
    return deferred_.contains(store) && cast<StoreInst>(store)->getPointerAddressSpace() == kShared;
  }

  SetVector<Instruction*> find_committing(const Phases& phases, bool calls) {
    SetVector<Instruction*> committing;
    if (deferred_.empty()) return committing;
    for (const auto& phase : phases.all())
      if (any_of(phase.stores, [&](Instruction* store) { return deferred_.contains(store); }))
        committing.insert(phase.commits.begin(), phase.commits.end());
    // Functions do not know what their callers have stored.
    if (calls)
      for (Function& f : module_)
        for (Instruction& i : instructions(f))
          if (commits(i)) committing.insert(&i);
    return committing;
  }

  void find_ordered() {
    const Phases phases(kernel_);
    for (const auto& phase : phases.all())
      for (Instruction* store : phase.stores) {
        // At ldmatrix the lanes wait for each other by themselves; a function orders its own accesses.
        for (Instruction* read : phase.reads)
          if (!isa<CallInst>(read) && conflicts_.may_conflict(*store, *read, ThreadConflicts::Among::Lanes))
            ordered_.insert(store), ordered_.insert(read);
        for (Instruction* other : phase.stores)
          if (conflicts_.may_conflict(*store, *other, ThreadConflicts::Among::Lanes)) {
            ordered_.insert(store);
            if (other == store) to_one_place_.insert(store);
          }
      }
  }

  void note(StoreInst& store) {
    b_.SetInsertPoint(&store);
    Value* address = address_of(store.getPointerOperand());
    Value* lanes = b_.getTrue();
    if (store.getPointerAddressSpace() == kShared) {
      if (auto range = ranges_.find(&store); range != ranges_.end() && range->second.is_known())
        lanes = b_.CreateICmpULT(b_.CreateSub(address, b_.getInt64(range->second.first)),
                                 b_.getInt64(range->second.end - range->second.first));
      FunctionCallee base = module_.getOrInsertFunction(name_of(Dialect::SharedBase), b_.getInt64Ty());
      address = b_.CreateAdd(b_.CreateCall(base, {}), address);
    }
    event(store, lanes,
          pack(event::DeferStore{uint8_t(ThreadConflicts::bytes_of(store)),
                                 uint8_t(stored_at_once(bytes_stored(store)))}),
          address);
  }

  // The number that a pointer is made of: addresses are integers (dialect.h).
  Value* address_of(Value* pointer) {
    if (auto* cast = dyn_cast<IntToPtrInst>(pointer)) return cast->getOperand(0);
    if (auto* constant = dyn_cast<ConstantExpr>(pointer); constant && constant->getOpcode() == Instruction::IntToPtr)
      return constant->getOperand(0);
    return isa<ConstantPointerNull>(pointer) ? b_.getInt64(0) : b_.CreatePtrToInt(pointer, b_.getInt64Ty());
  }

  // What is stored is told later (instrument/stored_values.h): the checkers' passes ask who uses a value.
  void event(Instruction& before, Value* lanes, uint32_t what, Value* address) {
    Type *i64 = b_.getInt64Ty(), *none = b_.getVoidTy();
    FunctionCallee callee =
        module_.getOrInsertFunction(name_of(Dialect::Event), none, b_.getInt1Ty(), b_.getInt32Ty(), i64, i64);
    b_.SetInsertPoint(&before);
    b_.SetCurrentDebugLocation(before.getDebugLoc());
    b_.CreateCall(callee, {lanes, b_.getInt32(what), address, b_.getInt64(0)});
  }

  Module& module_;
  Function& kernel_;
  const BlockShape block_;
  ThreadConflicts conflicts_;
  UniformChoices choices_;
  IRBuilder<> b_;
  SetVector<Instruction*> deferred_, ordered_;
  SmallPtrSet<const Instruction*, 8> to_one_place_;  // stores of which several lanes may have one place
  DenseMap<Instruction*, Range> ranges_;             // by deferred store
};

}  // namespace

DeferredStores defer_stores(Module& module, Function& kernel, const BlockShape& block, const MayAssume& may_assume) {
  return Deferrer(module, kernel, block, may_assume).defer();
}

LaunchAssumptions order_lanes(Module& module, Function& kernel, const BlockShape& block, const MayAssume& may_assume) {
  return Deferrer(module, kernel, block, may_assume).order();
}

}  // namespace warpwise::simt
