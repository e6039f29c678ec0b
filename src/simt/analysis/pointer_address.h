// The number that a pointer of the dialect is made of (simt/dialect.h): an inttoptr, or a constant that it has become.
#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace warpwise::simt {

// Null for what is no address of the program's: a register of a call.
inline llvm::Value* address_of_pointer(llvm::Value* pointer) {
  using namespace llvm;
  if (auto* cast = dyn_cast<IntToPtrInst>(pointer)) return cast->getOperand(0);
  if (auto* constant = dyn_cast<ConstantExpr>(pointer); constant && constant->getOpcode() == Instruction::IntToPtr)
    return constant->getOperand(0);
  if (isa<ConstantPointerNull>(pointer)) return ConstantInt::get(Type::getInt64Ty(pointer->getContext()), 0);
  return nullptr;
}

}  // namespace warpwise::simt
