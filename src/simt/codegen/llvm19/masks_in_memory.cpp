// LLVM 19 never finishes selecting some expressions of two masks that were loaded as integers.
//
//     %x = load i32, ptr %p                      zext(a | b) beside a ? 0 : b ? 0 : 4: the logic of masks becomes logic
//     %a = bitcast i32 %x to <32 x i1>           of integers, and is turned back, without end
//
// Upstream: very likely https://github.com/llvm/llvm-project/issues/123333, closed in January 2025: the fix allows a
// fold of bitcasts to masks only after legalisation. LLVM 19.1.7 does not have it, and llc -mcpu=x86-64-v4 runs for
// ever on the reduced code of that issue, too. (There the loads have other uses; this workaround does not cover that.)
// Reproducer: tests/simt/codegen/llvm19/masks_in_memory_test.cpp (hangs on a machine with AVX-512).
//
// The mask is loaded as a vector, which costs as much. This is for processors with mask registers only: without them
// LLVM would split such a load into lanes.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "simt/codegen/llvm19/workarounds.h"

namespace warpwise::simt {

using namespace llvm;

static_assert(LLVM_VERSION_MAJOR == 19, "try this workaround again: simt/codegen/llvm19/workarounds.h says how");

bool llvm19::load_mask_as_vector(Instruction& i) {
  auto* cast = dyn_cast<BitCastInst>(&i);
  auto* load = cast ? dyn_cast<LoadInst>(cast->getOperand(0)) : nullptr;
  if (!load || !load->isSimple() || !load->hasOneUse() || !cast->getType()->isVectorTy() ||
      !cast->getType()->getScalarType()->isIntegerTy(1))
    return false;
  IRBuilder<> b(load);
  auto* direct = b.CreateAlignedLoad(cast->getType(), load->getPointerOperand(), load->getAlign());
  direct->copyMetadata(*load);
  cast->replaceAllUsesWith(direct);
  cast->eraseFromParent();
  load->eraseFromParent();
  return true;
}

}  // namespace warpwise::simt
