#include "simt/instrument/expand_counts.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>

#include <cstddef>

#include "simt/abi.h"
#include "simt/service_calls.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

class Expander {
 public:
  explicit Expander(Function& function) : function_(function), context_(function.getContext()), b_(context_) {
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
    for (Instruction* i : others) keep_apart(*i);
    b_.SetInsertPoint(&*function_.getEntryBlock().getFirstInsertionPt());
    cells_base_ = b_.CreateIntToPtr(field(offsetof(BlockContext, counters), b_.getInt64Ty()), b_.getPtrTy(), "cells");
    warps_base_ =
        b_.CreateIntToPtr(field(offsetof(BlockContext, warp_counters), b_.getInt64Ty()), b_.getPtrTy(), "warps");
    for (CallInst* call : counted) {
      b_.SetInsertPoint(call);
      b_.SetCurrentDebugLocation(call->getDebugLoc());
      if (is_counted_add(*call))
        add(*call, cells_base_, cells_, warps_);
      else if (is_counted_warp(*call))
        add(*call, warps_base_, warps_, cells_);
      else
        report(*call);
      call->eraseFromParent();
    }
  }

 private:
  LoadInst* field(unsigned offset, Type* type) {
    auto* load =
        b_.CreateAlignedLoad(type, b_.CreateConstGEP1_64(b_.getInt8Ty(), function_.getArg(0), offset), Align(8));
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context_, {}));
    return load;
  }

  // Neither a cell nor a warp's word.
  void keep_apart(Instruction& i) {
    MDNode* known = i.getMetadata(LLVMContext::MD_noalias);
    MDNode* ours = MDNode::concatenate(cells_, warps_);
    i.setMetadata(LLVMContext::MD_noalias, known ? MDNode::concatenate(known, ours) : ours);
  }

  void add(CallInst& call, Value* base, MDNode* scope, MDNode* other) {
    Type* i64 = b_.getInt64Ty();
    Value* cell = b_.CreateInBoundsGEP(i64, base, b_.CreateZExt(call.getArgOperand(0), i64));
    auto* before = b_.CreateAlignedLoad(i64, cell, Align(8));
    auto* store = b_.CreateAlignedStore(b_.CreateAdd(before, call.getArgOperand(1)), cell, Align(8));
    for (Instruction* half : {static_cast<Instruction*>(before), static_cast<Instruction*>(store)}) {
      half->setMetadata(LLVMContext::MD_alias_scope, scope);
      half->setMetadata(LLVMContext::MD_noalias, other);
    }
  }

  // The service counts in memory of its own, of which no register of this code holds a part.
  void report(CallInst& call) {
    Value* addresses = call.getArgOperand(4);
    if (!addresses_) {
      IRBuilder<> at(&*function_.getEntryBlock().getFirstInsertionPt());
      addresses_ = at.CreateAlloca(ArrayType::get(b_.getInt64Ty(), kLanes), nullptr, "counted.addresses");
      addresses_->setAlignment(Align(64));
      table_ = at.CreateAlignedLoad(
          b_.getPtrTy(), at.CreateConstGEP1_64(at.getInt8Ty(), function_.getArg(0), offsetof(BlockContext, services)),
          Align(8));
      table_->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context_, {}));
    }
    keep_apart(*b_.CreateAlignedStore(addresses, addresses_, Align(64)));
    LoadInst* service = load_service(b_, table_, Service::count_access);
    service->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context_, {}));
    auto* service_call = b_.CreateCall(service_type(Service::count_access, context_), service,
                                       {function_.getArg(0), call.getArgOperand(2), call.getArgOperand(3),
                                        call.getArgOperand(0), call.getArgOperand(1), addresses_});
    service_call->setDoesNotThrow();
    keep_apart(*service_call);
  }

  Function& function_;
  LLVMContext& context_;
  IRBuilder<> b_;
  MDNode *cells_ = nullptr, *warps_ = nullptr;
  Value *cells_base_ = nullptr, *warps_base_ = nullptr;
  AllocaInst* addresses_ = nullptr;
  LoadInst* table_ = nullptr;
};

}  // namespace

void expand_counts(Function& function) { Expander(function).run(); }

}  // namespace warpwise::simt
