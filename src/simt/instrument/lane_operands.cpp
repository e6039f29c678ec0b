#include "simt/instrument/lane_operands.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/InstrTypes.h>

namespace warpwise::simt {

using namespace llvm;

namespace {

// Whether each lane is a number: not undefined, not an address of the linker's.
bool is_numbers(const Constant* lanes) {
  const auto* type = dyn_cast<FixedVectorType>(lanes->getType());
  if (!type) return false;
  for (unsigned lane = 0; lane < type->getNumElements(); ++lane)
    if (!isa_and_nonnull<ConstantInt>(lanes->getAggregateElement(lane))) return false;
  return true;
}

Constant* sum(const Constant* a, const Constant* b) {
  SmallVector<uint64_t, 32> lanes;
  for (unsigned lane = 0; lane < cast<FixedVectorType>(a->getType())->getNumElements(); ++lane) {
    const auto of = [&](const Constant* c) { return cast<ConstantInt>(c->getAggregateElement(lane))->getZExtValue(); };
    lanes.push_back(of(a) + of(b));
  }
  return ConstantDataVector::get(a->getContext(), lanes);
}

}  // namespace

std::optional<LaneOperands::Pattern> LaneOperands::pattern_of(Value* lanes) {
  if (auto* constant = dyn_cast<Constant>(lanes)) {
    if (!is_numbers(constant)) return std::nullopt;
    return Pattern{ConstantInt::get(lanes->getType()->getScalarType(), 0), constant};
  }
  if (Value* base = getSplatValue(lanes)) return Pattern{base, Constant::getNullValue(lanes->getType())};
  auto* addition = dyn_cast<BinaryOperator>(lanes);
  if (!addition || addition->getOpcode() != Instruction::Add) return std::nullopt;
  for (unsigned n : {0u, 1u}) {
    auto* constant = dyn_cast<Constant>(addition->getOperand(n));
    if (!constant || !is_numbers(constant)) continue;
    auto rest = pattern_of(addition->getOperand(1 - n));
    if (rest) rest->by_lane = sum(rest->by_lane, constant);
    return rest;
  }
  return std::nullopt;
}

GlobalVariable* LaneOperands::in_memory(Constant* lanes) {
  GlobalVariable*& made = made_[lanes];
  if (made) return made;
  made =
      new GlobalVariable(module_, lanes->getType(), /*isConstant=*/true, GlobalValue::PrivateLinkage, lanes, "lanes");
  made->setAlignment(Align(64));
  made->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return made;
}

}  // namespace warpwise::simt
