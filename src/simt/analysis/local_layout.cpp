#include "simt/analysis/local_layout.h"

#include <llvm/ADT/bit.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "simt/analysis/dialect_calls.h"
#include "simt/dialect.h"

namespace warpwise::simt {

using namespace llvm;

static bool points_to_local(const Value* v) {
  return v->getType()->isPointerTy() && v->getType()->getPointerAddressSpace() == kLocal;
}

uint32_t interleaved_unit(const Function& kernel) {
  constexpr uint64_t kLargest = 8;
  uint64_t unit = 0;
  for (const Instruction& i : instructions(kernel)) {
    if (auto* call = dyn_cast<CallInst>(&i); call && dialect_of(call) == Dialect::LocalBase) return 0;
    if (isa<IntToPtrInst>(i) || none_of(i.operands(), [](const Use& u) { return points_to_local(u.get()); })) continue;
    auto* load = dyn_cast<LoadInst>(&i);
    auto* store = dyn_cast<StoreInst>(&i);
    if ((!load && !store) || i.isAtomic()) return 0;
    // Alignment has been checked: no access has bytes of two units.
    const Type* type = load ? load->getType() : store->getValueOperand()->getType();
    const uint64_t bytes = type->getPrimitiveSizeInBits().getFixedValue() / 8;
    const Align align = load ? load->getAlign() : store->getAlign();
    if (bytes > kLargest || !has_single_bit(bytes) || align.value() < bytes) return 0;
    unit = std::max(unit, bytes);
  }
  return uint32_t(unit);
}

}  // namespace warpwise::simt
