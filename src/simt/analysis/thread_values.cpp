#include "simt/analysis/thread_values.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Module.h>

#include "simt/analysis/dialect_calls.h"
#include "simt/dialect.h"

namespace warpwise::simt {

using namespace llvm;

ThreadValues::ThreadValues(const Function& function, const BlockShape& block, uint32_t thread)
    : layout_(function.getParent()->getDataLayout()), block_(block), thread_(thread) {}

Constant* ThreadValues::of(Value* value, unsigned depth) {
  if (auto* constant = dyn_cast<Constant>(value)) return constant;
  auto* i = dyn_cast<Instruction>(value);
  if (!i || depth > 64) return nullptr;
  auto [at, fresh] = known_.try_emplace(i, nullptr);
  if (!fresh) return at->second;
  Constant* result = evaluate(*i, depth);
  known_[i] = result;
  return result;
}

Constant* ThreadValues::evaluate(Instruction& i, unsigned depth) {
  if (auto d = dialect_of(&i)) {
    auto number = [&](uint32_t n) { return ConstantInt::get(i.getType(), n); };
    const auto& size = block_.size;
    switch (*d) {
      case Dialect::TidX:
        return number(thread_ % size[0]);
      case Dialect::TidY:
        return number(thread_ / size[0] % size[1]);
      case Dialect::TidZ:
        return number(thread_ / size[0] / size[1]);
      case Dialect::LaneId:
        return number(thread_ % kLanes);
      case Dialect::WarpId:
        return number(thread_ / kLanes);
      case Dialect::NtidX:
        return number(size[0]);
      case Dialect::NtidY:
        return number(size[1]);
      case Dialect::NtidZ:
        return number(size[2]);
      default:
        return nullptr;
    }
  }
  if (isa<PHINode>(i) || i.mayReadOrWriteMemory() || isa<CallBase>(i) || i.isTerminator()) return nullptr;
  SmallVector<Constant*, 4> operands;
  bool all = true;
  for (Value* operand : i.operands()) {
    operands.push_back(of(operand, depth + 1));
    all = all && operands.back();
  }
  if (all) return ConstantFoldInstOperands(&i, operands, layout_);
  // One side may decide alone.
  for (Constant* operand : operands) {
    auto* bit = dyn_cast_or_null<ConstantInt>(operand);
    if (!bit) continue;
    if (i.getOpcode() == Instruction::And && bit->isZero()) return bit;
    if (i.getOpcode() == Instruction::Or && bit->isMinusOne()) return bit;
  }
  return nullptr;
}

}  // namespace warpwise::simt
