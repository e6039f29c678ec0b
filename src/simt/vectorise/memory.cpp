#include "simt/vectorise/memory.h"

#include <llvm/ADT/ScopeExit.h>
#include <llvm/IR/MDBuilder.h>

#include "simt/block/interleave_warps.h"
#include "simt/codegen/atomic_16_bytes.h"

namespace warpwise::simt {

using namespace llvm;

// While it lives, accesses are the program's own, in one space. The shadow of a checker is in none.
struct MemoryEmitter::InSpace {
  InSpace(MemoryEmitter& memory, unsigned space) : memory(memory) { memory.space_ = space; }
  ~InSpace() { memory.space_ = kGeneric; }
  InSpace(const InSpace&) = delete;
  InSpace& operator=(const InSpace&) = delete;
  MemoryEmitter& memory;
};

// Both halves of 16 bytes, for each lane at once.
void MemoryEmitter::emit_whole_load(LoadInst& first, LoadInst& second) {
  Address a = address_of(first.getPointerOperand());
  const InSpace here(*this, a.space);
  Type* i64 = b_.getInt64Ty();
  if (a.own.is_uniform()) {
    auto [low, high] = load_whole(b_, b_.CreateIntToPtr(a.base, b_.getPtrTy()));
    set_scalar(first, low), set_scalar(second, high);
  } else {
    Value* addresses = spill(vector_of_address(a), "addresses");
    Value *lows = spill(PoisonValue::get(wide(i64)), "lows"), *highs = spill(PoisonValue::get(wide(i64)), "highs");
    for_each_lane(mask_, [&](Value* lane) {
      auto [low, high] = load_whole(b_, b_.CreateIntToPtr(lane_of(addresses, i64, lane), b_.getPtrTy()));
      set_lane(lows, i64, lane, low), set_lane(highs, i64, lane, high);
    });
    set_vector(first, unspill(lows, wide(i64))), set_vector(second, unspill(highs, wide(i64)));
  }
  fence_after(b_, first.getOrdering());
}

void MemoryEmitter::emit_whole_store(StoreInst& first, StoreInst& second) {
  Address a = address_of(first.getPointerOperand());
  const InSpace here(*this, a.space);
  Type* i64 = b_.getInt64Ty();
  fence_before(b_, first.getOrdering());
  Value* addresses = a.own.is_uniform() ? nullptr : spill(vector_of_address(a), "addresses");
  auto values_of = [&](StoreInst& store) {
    return is_uniform(store.getValueOperand()) ? nullptr : spill(vector(store.getValueOperand()), "values");
  };
  Value *lows = values_of(first), *highs = values_of(second);
  for_each_lane(mask_, [&](Value* lane) {
    Value* low = lows ? lane_of(lows, i64, lane) : scalar(first.getValueOperand());
    Value* high = highs ? lane_of(highs, i64, lane) : scalar(second.getValueOperand());
    store_whole(b_, low, high, b_.CreateIntToPtr(addresses ? lane_of(addresses, i64, lane) : a.base, b_.getPtrTy()));
  });
}

void MemoryEmitter::emit_load(LoadInst& load) {
  if (Instruction* second = second_half(load)) return emit_whole_load(load, cast<LoadInst>(*second));
  if (first_half(load)) return;  // came with that
  Address a = address_of(load.getPointerOperand());
  const InSpace here(*this, a.space);
  const auto ordered = make_scope_exit([&] { fence_after(b_, load.getOrdering()); });
  Type* type = load.getType();
  if (a.space == kParam && isa<ConstantInt>(a.source)) {
    // Parameters are always there and never change: read them once, in the prologue.
    IRBuilder<> at(w_.prologue_end);
    auto* copy = at.CreateAlignedLoad(type, at.CreateIntToPtr(at.CreateAdd(a.source, a.extra), b_.getPtrTy()),
                                      load.getAlign(), load.getName());
    copy->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context_, {}));
    set_scalar(load, copy);
    return;
  }
  if (a.own.is_uniform() && a.space != kLocal) {
    auto* copy = in_space(b_.CreateAlignedLoad(type, b_.CreateIntToPtr(a.base, b_.getPtrTy()), load.getAlign(),
                                               load.isVolatile(), load.getName()));
    if (load.isAtomic()) copy->setAtomic(load.getOrdering(), load.getSyncScopeID());
    if (a.space == kParam) copy->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context_, {}));
    set_scalar(load, copy);
    return;
  }
  if (!a.own.is_affine()) {
    Value* v = gather_indexed(a, type, load.getAlign(), mask_);
    return set_vector(load, v ? v : gather(vector_of_address(a), type, load.getAlign(), mask_));
  }
  if (!a.corrected) {
    Value* v = load_from_afar(a, type, load.getAlign());
    if (!v) v = gather_near(a, type, load.getAlign(), mask_);
    return set_vector(load, v ? v : gather(vector_of_address(a), type, load.getAlign(), mask_));
  }
  // The pattern where no lane wrapped, exact addresses where one did.
  Value* guard = guard_of(a.own);
  BasicBlock* before = b_.GetInsertBlock();
  auto* fast = BasicBlock::Create(context_, "pattern", warp_function_);
  auto* cold = BasicBlock::Create(context_, "wrapped", warp_function_);
  auto* done = BasicBlock::Create(context_, "loaded", warp_function_);
  b_.SetInsertPoint(fast);
  Value* quick = load_from_afar(a, type, load.getAlign());
  if (!quick) {
    fast->eraseFromParent(), cold->eraseFromParent(), done->eraseFromParent();
    b_.SetInsertPoint(before);
    return set_vector(load, gather(vector_of_address(a), type, load.getAlign(), mask_));
  }
  b_.CreateBr(done);
  BasicBlock* fast_end = b_.GetInsertBlock();
  b_.SetInsertPoint(cold);
  Value* exact = corrected(a.own, affine_vector(a.own, a.base, b_.getInt64Ty()), b_.getInt64Ty());
  Value* slow = gather(exact, type, load.getAlign(), mask_);
  b_.CreateBr(done);
  cold = b_.GetInsertBlock();
  b_.SetInsertPoint(before);
  b_.CreateCondBr(guard, fast, cold, MDBuilder(context_).createLikelyBranchWeights())
      ->setMetadata(kGuardBranch, MDNode::get(context_, {}));
  b_.SetInsertPoint(done);
  PHINode* phi = b_.CreatePHI(wide(type), 2);
  phi->addIncoming(quick, fast_end);
  phi->addIncoming(slow, cold);
  set_vector(load, phi);
}

Value* MemoryEmitter::lane_that_stores(unsigned bytes) {
  Value* lanes = mask_bits(mask_);
  if (const unsigned at_once = stored_at_once(bytes); at_once < kLanes) {
    Value* last = b_.CreateXor(b_.CreateBinaryIntrinsic(Intrinsic::ctlz, lanes, b_.getFalse()), b_.getInt32(31));
    Value* first = b_.CreateAnd(last, b_.getInt32(~(at_once - 1)));
    lanes = b_.CreateAnd(lanes, b_.CreateShl(b_.getInt32(~0u), first));
  }
  return b_.CreateBinaryIntrinsic(Intrinsic::cttz, lanes, b_.getFalse());
}

namespace {

// Whether lanes of an affine address are the same whatever its coefficients are.
bool has_equal_lanes(const Shape& shape) {
  for (unsigned l = 0; l < kLanes; ++l)
    for (unsigned m = l + 1; m < kLanes; ++m)
      if (all_of(shape.terms, [&](const Term& t) { return t.lanes[l] == t.lanes[m]; })) return true;
  return false;
}

}  // namespace

void MemoryEmitter::emit_store(StoreInst& store) {
  if (second_half(store)) return;  // goes with that
  if (Instruction* first = first_half(store)) return emit_whole_store(cast<StoreInst>(*first), store);
  Address a = address_of(store.getPointerOperand());
  const InSpace here(*this, a.space);
  fence_before(b_, store.getOrdering());
  Value* value = store.getValueOperand();
  if (a.own.is_uniform() && a.space != kLocal) {
    Value* one = is_uniform(value) ? scalar(value)
                                   : b_.CreateExtractElement(vector(value), lane_that_stores(bytes_stored(store)));
    auto* copy = in_space(
        b_.CreateAlignedStore(one, b_.CreateIntToPtr(a.base, b_.getPtrTy()), store.getAlign(), store.isVolatile()));
    if (store.isAtomic()) copy->setAtomic(store.getOrdering(), store.getSyncScopeID());
    return;
  }
  Value* lanes = vector(value);
  const bool may_meet = a.space != kLocal && (!a.own.is_affine() || has_equal_lanes(a.own));
  const unsigned at_once = may_meet ? stored_at_once(bytes_stored(store)) : 0;
  auto scatter_to = [&](Value* addresses) { scatter(addresses, lanes, store.getAlign(), mask_, at_once); };
  if (!a.own.is_affine()) {
    if (!scatter_row(a, lanes, store.getAlign(), at_once)) scatter_to(vector_of_address(a));
    return;
  }
  if (!a.corrected) {
    if (!store_pattern(a, lanes, store.getAlign(), mask_)) scatter_to(vector_of_address(a));
    return;
  }
  Value* guard = guard_of(a.own);
  BasicBlock* before = b_.GetInsertBlock();
  auto* fast = BasicBlock::Create(context_, "pattern", warp_function_);
  auto* cold = BasicBlock::Create(context_, "wrapped", warp_function_);
  auto* done = BasicBlock::Create(context_, "stored", warp_function_);
  b_.SetInsertPoint(fast);
  if (!store_pattern(a, lanes, store.getAlign(), mask_)) {
    if (options_.compact) {  // one scatter will do, of exact addresses
      fast->eraseFromParent(), cold->eraseFromParent(), done->eraseFromParent();
      b_.SetInsertPoint(before);
      return scatter_to(vector_of_address(a));
    }
    scatter_to(affine_vector(a.own, a.base, b_.getInt64Ty()));
  }
  b_.CreateBr(done);
  b_.SetInsertPoint(cold);
  scatter_to(corrected(a.own, affine_vector(a.own, a.base, b_.getInt64Ty()), b_.getInt64Ty()));
  b_.CreateBr(done);
  b_.SetInsertPoint(before);
  b_.CreateCondBr(guard, fast, cold, MDBuilder(context_).createLikelyBranchWeights())
      ->setMetadata(kGuardBranch, MDNode::get(context_, {}));
  b_.SetInsertPoint(done);
}

}  // namespace warpwise::simt
