#include "simt/codegen/keep_constants_in_memory.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace warpwise::simt {

using namespace llvm;

namespace {

// Instructions that treat a constant as any other operand. Shifts and divisions have cheaper forms for constants.
bool takes_any_operand(const Instruction& i) {
  if (isa<CmpInst>(i) || isa<SelectInst>(i)) return true;
  return isa<BinaryOperator>(i) && !i.isShift() && !i.isIntDivRem();
}

// Zeros and ones are made without memory, and masks live in registers of their own.
bool is_in_pool(const Value* v) {
  const auto* constant = dyn_cast<ConstantDataVector>(v);
  return constant && !constant->isNullValue() && !constant->isAllOnesValue();
}

}  // namespace

bool keep_constants_in_memory(Function& function, size_t many) {
  MapVector<Constant*, SmallVector<Use*, 4>> uses;
  for (Instruction& i : instructions(function))
    if (takes_any_operand(i))
      for (Use& operand : i.operands())
        if (is_in_pool(operand.get())) uses[cast<Constant>(operand.get())].push_back(&operand);
  if (uses.size() < many) return false;
  for (auto& [constant, places] : uses) {
    auto* kept = new GlobalVariable(*function.getParent(), constant->getType(), /*isConstant=*/true,
                                    GlobalValue::PrivateLinkage, constant, "constant");
    kept->setAlignment(Align(64));
    kept->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    for (Use* place : places) {
      IRBuilder<> b(cast<Instruction>(place->getUser()));
      LoadInst* load = b.CreateAlignedLoad(constant->getType(), kept, Align(64));
      load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(function.getContext(), {}));
      place->set(load);
    }
  }
  return true;
}

}  // namespace warpwise::simt
