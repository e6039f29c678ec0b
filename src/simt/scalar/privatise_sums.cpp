#include "simt/scalar/privatise_sums.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>

#include "simt/scalar/pending_sums.h"

namespace warpwise::simt {

using namespace llvm;

void privatise_sums(Function& kernel) {
  SmallVector<AtomicRMWInst*> sums;
  for (Instruction& i : instructions(kernel))
    if (may_be_pending(i) && i.getType()->isIntegerTy()) sums.push_back(cast<AtomicRMWInst>(&i));
  if (sums.empty()) return;
  const unsigned width = any_of(sums, [](AtomicRMWInst* s) { return s->getType()->isIntegerTy(32); }) ? 32 : 64;
  erase_if(sums, [&](AtomicRMWInst* s) { return !s->getType()->isIntegerTy(width); });
  if (!insert_flushes(kernel, sums)) return;
  for (AtomicRMWInst* sum : sums) sum->setMetadata(kPrivatised, MDNode::get(kernel.getContext(), {}));
}

}  // namespace warpwise::simt
