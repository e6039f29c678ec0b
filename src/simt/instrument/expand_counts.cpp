#include "simt/instrument/expand_counts.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>

#include <cstddef>

#include "simt/abi.h"
#include "simt/instrument/lane_operands.h"
#include "simt/service_calls.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

class Expander {
 public:
  explicit Expander(Function& function)
      : function_(function), context_(function.getContext()), b_(context_), operands_(*function.getParent()) {
    MDBuilder metadata(context_);
    MDNode* domain = metadata.createAnonymousAliasScopeDomain("ww.cells");
    cells_ = MDNode::get(context_, {metadata.createAnonymousAliasScope(domain, "cells")});
    warps_ = MDNode::get(context_, {metadata.createAnonymousAliasScope(domain, "warps")});
  }

  void run() {
    SmallVector<CallInst*, 64> counted;
    SmallVector<Instruction*, 64> others;
    for (Instruction& i : instructions(function_)) {
      if (auto* call = dyn_cast<CallInst>(&i); call && is_counted(*call))
        counted.push_back(call);
      else if (i.mayReadOrWriteMemory())
        others.push_back(&i);
    }
    if (counted.empty()) return;
    if (any_of(counted, [](CallInst* call) { return is_counted_add(*call) || is_counted_warp(*call); })) {
      for (Instruction* i : others) keep_apart(*i);
      b_.SetInsertPoint(&*function_.getEntryBlock().getFirstInsertionPt());
      cells_base_ = counters("cells"), warps_base_ = warp_counters("warps");
    }
    for (CallInst* call : counted) {
      b_.SetInsertPoint(call);
      b_.SetCurrentDebugLocation(call->getDebugLoc());
      expand(*call);
      call->eraseFromParent();
    }
  }

 private:
  void expand(CallInst& call) {
    const auto argument = [&](unsigned n) { return call.getArgOperand(n); };
    if (is_counted_add(call)) return add(argument(0), argument(1), cells_base_, cells_, warps_);
    if (is_counted_warp(call)) return add(argument(0), argument(1), warps_base_, warps_, cells_);
    if (is_counted_access(call)) return report(call);
    SmallVector<Value*, 5> arguments{function_.getArg(0)};
    arguments.append(call.arg_begin(), call.arg_end());
    Function* adder = is_counted_block(call) ? block_adder() : guard_adder();
    b_.CreateCall(adder, arguments)->setOnlyAccessesInaccessibleMemOrArgMem();  // no other code has the counters
  }

  Value* counters(const char* name) { return pointer(function_, offsetof(BlockContext, counters), name); }
  Value* warp_counters(const char* name) { return pointer(function_, offsetof(BlockContext, warp_counters), name); }
  Value* pointer(Function& function, unsigned offset, const char* name) {
    return b_.CreateIntToPtr(field(function, offset, b_.getInt64Ty()), b_.getPtrTy(), name);
  }
  LoadInst* field(Function& function, unsigned offset, Type* type) {
    auto* load =
        b_.CreateAlignedLoad(type, b_.CreateConstGEP1_64(b_.getInt8Ty(), function.getArg(0), offset), Align(8));
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context_, {}));
    return load;
  }

  // Neither a cell nor a warp's word.
  void keep_apart(Instruction& i) {
    MDNode* known = i.getMetadata(LLVMContext::MD_noalias);
    MDNode* ours = MDNode::concatenate(cells_, warps_);
    i.setMetadata(LLVMContext::MD_noalias, known ? MDNode::concatenate(known, ours) : ours);
  }

  void add(Value* index, Value* amount, Value* base, MDNode* scope, MDNode* other) {
    Type* i64 = b_.getInt64Ty();
    Value* word = b_.CreateInBoundsGEP(i64, base, b_.CreateZExt(index, i64));
    auto* before = b_.CreateAlignedLoad(i64, word, Align(8));
    auto* store = b_.CreateAlignedStore(b_.CreateAdd(before, amount), word, Align(8));
    for (Instruction* half : {static_cast<Instruction*>(before), static_cast<Instruction*>(store)}) {
      half->setMetadata(LLVMContext::MD_alias_scope, scope);
      half->setMetadata(LLVMContext::MD_noalias, other);
    }
  }

  // --- short counts: functions with the additions of a mark. Their arguments are the mark's, behind the block.

  // Calls `body` with the insertion point in a new function, unless it is made already.
  template <class Body>
  Function* made_once(Function*& function, const char* name, ArrayRef<Type*> parameters, Body body) {
    if (function) return function;
    SmallVector<Type*, 5> types{b_.getPtrTy()};
    types.append(parameters.begin(), parameters.end());
    function = Function::Create(FunctionType::get(b_.getVoidTy(), types, false), GlobalValue::InternalLinkage, name,
                                function_.getParent());
    function->addFnAttr(Attribute::NoInline);
    function->addFnAttr(Attribute::NoUnwind);
    function->addFnAttr(Attribute::NullPointerIsValid);
    const IRBuilder<>::InsertPointGuard here(b_);
    b_.SetInsertPoint(BasicBlock::Create(context_, "entry", function));
    b_.SetCurrentDebugLocation({});
    body(*function);
    b_.CreateRetVoid();
    return function;
  }
  Function* block_adder() {
    Type *i32 = b_.getInt32Ty(), *i64 = b_.getInt64Ty();
    return made_once(block_adder_, "count.block", {i32, i64, i32, i32}, [&](Function& f) {
      Value* cell = cell_of(f);
      add_to(cell, kCellWarps, b_.getInt32(1));
      add_to(cell, kCellLanes, b_.CreateUnaryIntrinsic(Intrinsic::ctpop, f.getArg(4)));
      Value* warps = pointer(f, offsetof(BlockContext, warp_counters), "warps");
      add(f.getArg(3), f.getArg(2), warps, warps_, cells_);
    });
  }
  Function* guard_adder() {
    Type* i32 = b_.getInt32Ty();
    return made_once(guard_adder_, "count.guard", {i32, i32, i32, i32}, [&](Function& f) {
      Value *cell = cell_of(f), *lanes = f.getArg(3), *zero = b_.getInt32(0);
      Value* some = b_.CreateZExt(b_.CreateICmpNE(lanes, zero), b_.getInt32Ty());
      add_to(cell, kCellOnWarps, b_.CreateOr(f.getArg(2), some));
      add_to(cell, kCellOnLanes, b_.CreateUnaryIntrinsic(Intrinsic::ctpop, lanes));
      Value* not_all = b_.CreateZExt(b_.CreateICmpNE(lanes, f.getArg(4)), b_.getInt32Ty());
      add_to(cell, kCellDivergent, b_.CreateAnd(some, not_all));
    });
  }
  Value* cell_of(Function& f) {
    Value* first_word = b_.CreateMul(b_.CreateZExt(f.getArg(1), b_.getInt64Ty()), b_.getInt64(kCellWords));
    return b_.CreateInBoundsGEP(b_.getInt64Ty(), pointer(f, offsetof(BlockContext, counters), "cells"), first_word);
  }
  void add_to(Value* cell, unsigned word, Value* amount) {
    add(b_.getInt32(word), b_.CreateZExt(amount, b_.getInt64Ty()), cell, cells_, warps_);
  }

  // --- accesses

  // The service counts in memory of its own, of which no register of this code holds a part.
  void report(CallInst& call) {
    SmallVector<Value*, 8> arguments{function_.getArg(0), call.getArgOperand(2), call.getArgOperand(3),
                                     call.getArgOperand(0), call.getArgOperand(1)};
    Value* addresses = call.getArgOperand(4);
    const auto pattern = LaneOperands::pattern_of(addresses);
    if (pattern) {
      Value* offsets = pattern->by_lane->isNullValue() ? static_cast<Value*>(ConstantPointerNull::get(b_.getPtrTy()))
                                                       : operands_.in_memory(pattern->by_lane);
      arguments.append({pattern->base, offsets});
    } else {
      if (!addresses_) {
        IRBuilder<> entry(&*function_.getEntryBlock().getFirstInsertionPt());
        addresses_ = entry.CreateAlloca(ArrayType::get(b_.getInt64Ty(), kLanes), nullptr, "counted.addresses");
        addresses_->setAlignment(Align(64));
      }
      keep_apart(*b_.CreateAlignedStore(addresses, addresses_, Align(64)));
      arguments.push_back(addresses_);
    }
    const Service which = pattern ? Service::count_access_at : Service::count_access;
    Value*& service = pattern ? reporter_at_ : reporter_;
    if (!service) service = load_service_at_entry(function_, which);
    auto* service_call = b_.CreateCall(service_type(which, context_), service, arguments);
    service_call->setDoesNotThrow();
    keep_apart(*service_call);
  }

  Function& function_;
  LLVMContext& context_;
  IRBuilder<> b_;
  LaneOperands operands_;
  Function *block_adder_ = nullptr, *guard_adder_ = nullptr;
  MDNode *cells_ = nullptr, *warps_ = nullptr;
  Value *cells_base_ = nullptr, *warps_base_ = nullptr;
  AllocaInst* addresses_ = nullptr;
  Value *reporter_ = nullptr, *reporter_at_ = nullptr;  // the services
};

}  // namespace

void expand_counts(Function& function) { Expander(function).run(); }

}  // namespace warpwise::simt
