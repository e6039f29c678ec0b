// Atomic updates that leave what they find, which is how programs read a word that others change:
//
//     int length = atomicAdd(&queue->tail, 0);
//
// (PTX has ld.relaxed for this since sm_70; CUDA C++ had no such load before libcu++.) All lanes of a warp that ask one
// place so get one answer, as they would from one load: the value is uniform.
#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace warpwise::simt {

inline bool only_reads(const llvm::AtomicRMWInst& update) {
  using llvm::AtomicRMWInst;
  auto* operand = llvm::dyn_cast<llvm::ConstantInt>(update.getValOperand());
  if (!operand) return false;
  switch (update.getOperation()) {
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
    case AtomicRMWInst::Or:
    case AtomicRMWInst::Xor:
    case AtomicRMWInst::UMax:
      return operand->isZero();
    case AtomicRMWInst::And:
    case AtomicRMWInst::UMin:
      return operand->isMinusOne();
    case AtomicRMWInst::Max:
      return operand->isMinValue(/*IsSigned=*/true);
    case AtomicRMWInst::Min:
      return operand->isMaxValue(/*IsSigned=*/true);
    default:
      return false;
  }
}

}  // namespace warpwise::simt
