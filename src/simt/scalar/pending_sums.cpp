#include "simt/scalar/pending_sums.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include "simt/analysis/dialect_calls.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// A kernel with more accesses than this after its sums would pay for the tests.
constexpr unsigned kMostTests = 12;

bool is_global(unsigned space) { return space == kGeneric || space == kGlobal; }

// Which sums must be flushed before an instruction: all, those of its address, or none.
enum class Need { Nothing, Place, All };

Need need_of(const Instruction& i) {
  if (may_be_pending(i)) return Need::Nothing;
  if (auto* load = dyn_cast<LoadInst>(&i)) {
    if (load->isVolatile() || load->isAtomic()) return Need::All;
    return is_global(load->getPointerAddressSpace()) && !load->hasMetadata(LLVMContext::MD_invariant_load)
               ? Need::Place
               : Need::Nothing;
  }
  if (auto* store = dyn_cast<StoreInst>(&i)) {
    if (store->isVolatile() || store->isAtomic()) return Need::All;
    return is_global(store->getPointerAddressSpace()) ? Need::Place : Need::Nothing;
  }
  if (auto* rmw = dyn_cast<AtomicRMWInst>(&i);
      rmw && rmw->getOrdering() == AtomicOrdering::Monotonic && !rmw->hasMetadata("ww.sys"))
    return is_global(rmw->getPointerAddressSpace()) ? Need::Place : Need::Nothing;
  if (auto which = dialect_of(&i)) {
    if (is_count(*which)) return Need::Nothing;
    switch (class_of(*which)) {
      // Barriers: what runs behind them in this block runs on this host thread, and finds the sums as their own thread
      // does.
      case DialectClass::Thread:
      case DialectClass::Block:
      case DialectClass::Warp:
      case DialectClass::Barrier:
      case DialectClass::Pure:
        return Need::Nothing;
      default:
        return *which == Dialect::Exit || *which == Dialect::StackCheck ? Need::Nothing : Need::All;
    }
  }
  return i.mayReadOrWriteMemory() ? Need::All : Need::Nothing;
}

// The instructions that can run after one of `sums` has.
SmallPtrSet<Instruction*, 32> come_after(ArrayRef<AtomicRMWInst*> sums) {
  SmallPtrSet<Instruction*, 32> after;
  SmallPtrSet<BasicBlock*, 16> seen;
  SmallVector<BasicBlock*, 16> work;
  for (AtomicRMWInst* sum : sums) {
    for (Instruction* i = sum->getNextNode(); i; i = i->getNextNode()) after.insert(i);
    work.append(succ_begin(sum->getParent()), succ_end(sum->getParent()));
  }
  while (!work.empty()) {
    BasicBlock* bb = work.pop_back_val();
    if (!seen.insert(bb).second) continue;
    for (Instruction& i : *bb) after.insert(&i);
    work.append(succ_begin(bb), succ_end(bb));
  }
  return after;
}

}  // namespace

bool may_be_pending(const Instruction& i) {
  auto* rmw = dyn_cast<AtomicRMWInst>(&i);
  if (!rmw || !rmw->use_empty() || rmw->getOrdering() != AtomicOrdering::Monotonic) return false;
  if (rmw->hasMetadata("ww.sys") || !is_global(rmw->getPointerAddressSpace())) return false;
  switch (rmw->getOperation()) {
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
      return !rmw->isVolatile() && (rmw->getType()->isIntegerTy(32) || rmw->getType()->isIntegerTy(64));
    case AtomicRMWInst::FAdd:  // volatile only so that LLVM does not rewrite it (lower/atomics.cpp)
      return rmw->getType()->isFloatTy() || rmw->getType()->isDoubleTy();
    default:
      return false;
  }
}

bool insert_flushes(Function& kernel, ArrayRef<AtomicRMWInst*> sums) {
  SmallVector<Instruction*> all, places;
  for (Instruction* i : come_after(sums)) {
    const Need need = need_of(*i);
    if (need == Need::All) all.push_back(i);
    if (need == Need::Place) places.push_back(i);
  }
  if (all.size() + places.size() > kMostTests) return false;
  Module& module = *kernel.getParent();
  LLVMContext& context = kernel.getContext();
  auto* none = Type::getVoidTy(context);
  auto* i64 = Type::getInt64Ty(context);
  for (Instruction* i : all) IRBuilder<>(i).CreateCall(module.getOrInsertFunction(name_of(Dialect::FlushSums), none));
  for (Instruction* i : places) {
    IRBuilder<> b(i);
    Value* pointer = const_cast<Value*>(getLoadStorePointerOperand(i));
    if (auto* rmw = dyn_cast<AtomicRMWInst>(i)) pointer = rmw->getPointerOperand();
    // The number that the pointer was made of: lane patterns are known of numbers, pointers have none.
    auto* cast = dyn_cast<IntToPtrInst>(pointer);
    Value* address =
        cast && cast->getOperand(0)->getType() == i64 ? cast->getOperand(0) : b.CreatePtrToInt(pointer, i64);
    b.CreateCall(module.getOrInsertFunction(name_of(Dialect::FlushSumsAt), none, i64), {address});
  }
  return true;
}

bool forget_flushes(Function& kernel) {
  bool changed = false;
  for (Instruction& i : make_early_inc_range(instructions(kernel))) {
    auto which = dialect_of(&i);
    if (which != Dialect::FlushSums && which != Dialect::FlushSumsAt) continue;
    i.eraseFromParent();
    changed = true;
  }
  return changed;
}

}  // namespace warpwise::simt
