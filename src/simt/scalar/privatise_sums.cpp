#include "simt/scalar/privatise_sums.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "simt/analysis/dialect_calls.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// A kernel with more accesses than this after its sums would pay for the tests.
constexpr unsigned kMostTests = 12;

bool is_global(unsigned space) { return space == kGeneric || space == kGlobal; }

// An addition that can be privatised, or that at least commutes with privatised ones.
bool is_sum(const Instruction& i) {
  auto* rmw = dyn_cast<AtomicRMWInst>(&i);
  if (!rmw || !rmw->use_empty() || rmw->getOrdering() != AtomicOrdering::Monotonic || rmw->isVolatile()) return false;
  if (rmw->hasMetadata("ww.sys") || !is_global(rmw->getPointerAddressSpace())) return false;
  if (rmw->getOperation() != AtomicRMWInst::Add && rmw->getOperation() != AtomicRMWInst::Sub) return false;
  return rmw->getType()->isIntegerTy(32) || rmw->getType()->isIntegerTy(64);
}

// Which sums must be flushed before an instruction: all, those of its address, or none.
enum class Need { Nothing, Place, All };

Need need_of(const Instruction& i) {
  if (is_sum(i)) return Need::Nothing;
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

void privatise_sums(Function& kernel) {
  SmallVector<AtomicRMWInst*> sums;
  for (Instruction& i : instructions(kernel))
    if (is_sum(i)) sums.push_back(cast<AtomicRMWInst>(&i));
  if (sums.empty()) return;
  const unsigned width = any_of(sums, [](AtomicRMWInst* s) { return s->getType()->isIntegerTy(32); }) ? 32 : 64;
  erase_if(sums, [&](AtomicRMWInst* s) { return !s->getType()->isIntegerTy(width); });

  SmallVector<Instruction*> all, places;
  for (Instruction* i : come_after(sums)) {
    const Need need = need_of(*i);
    if (need == Need::All) all.push_back(i);
    if (need == Need::Place) places.push_back(i);
  }
  if (all.size() + places.size() > kMostTests) return;
  LLVMContext& context = kernel.getContext();
  for (AtomicRMWInst* sum : sums) sum->setMetadata(kPrivatised, MDNode::get(context, {}));

  Module& module = *kernel.getParent();
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
}

bool forget_privatised_sums(Function& kernel) {
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
