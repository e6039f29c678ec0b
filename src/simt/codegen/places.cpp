#include "simt/codegen/places.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>

namespace warpwise::simt {

using namespace llvm;

void remember_places(Function& function) {
  for (Instruction& i : instructions(function))
    if (i.mayReadOrWriteMemory() && i.getDebugLoc())
      i.setMetadata(LLVMContext::MD_annotation, MDNode::get(function.getContext(), {i.getDebugLoc().getAsMDNode()}));
}

void restore_places(Function& function) {
  for (Instruction& i : instructions(function)) {
    MDNode* place = i.getMetadata(LLVMContext::MD_annotation);
    if (!place) continue;
    if ((!i.getDebugLoc() || i.getDebugLoc().getLine() == 0) && place->getNumOperands() > 0)
      if (auto* location = dyn_cast<DILocation>(place->getOperand(0))) i.setDebugLoc(location);
    i.setMetadata(LLVMContext::MD_annotation, nullptr);
  }
}

}  // namespace warpwise::simt
