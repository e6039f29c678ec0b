// LLVM 19 never finishes selecting `sext(a) | zext(a | b)` of two masks in some surroundings.
//
// The masks were comparisons of `u64 & 1`, converted to double, with the same number rounded to float: what
// cvt.bf16.u64 came to when a random program found the fault.
//
// Upstream: no issue found.
// Reproducer: none. The random program was not kept, and llc 19.1.7 finishes on every reduced form that was tried (456
// of them).
//
// A freeze before the extension keeps the logic and the extension apart.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "simt/codegen/llvm19/workarounds.h"

namespace warpwise::simt {

using namespace llvm;

static_assert(LLVM_VERSION_MAJOR == 19, "try this workaround again: simt/codegen/llvm19/workarounds.h says how");

bool llvm19::freeze_extended_logic(Instruction& i) {
  if (!isa<ZExtInst>(i) && !isa<SExtInst>(i)) return false;
  auto* logic = dyn_cast<BinaryOperator>(i.getOperand(0));
  if (!logic || !is_mask(logic->getType())) return false;
  i.setOperand(0, IRBuilder<>(&i).CreateFreeze(logic));
  return true;
}

}  // namespace warpwise::simt
