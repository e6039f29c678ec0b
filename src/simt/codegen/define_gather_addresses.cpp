#include "simt/codegen/define_gather_addresses.h"

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace warpwise::simt {

using namespace llvm;

namespace {

unsigned lanes_of(const Value* v) {
  auto* type = dyn_cast<FixedVectorType>(v->getType());
  return type ? type->getNumElements() : 0;
}

// The lanes of a vector that are always poison.
class PoisonLanes {
 public:
  // Returns a copy: a later insertion may move the values in the map.
  APInt of(Value* v) {
    if (auto known = known_.find(v); known != known_.end()) return known->second;
    APInt& lanes = known_[v] = APInt(lanes_of(v), 0);  // what a loop carries back to itself is not followed
    if (depth_ == kDeepest) return lanes;
    ++depth_;
    APInt found = find(v);
    --depth_;
    return known_[v] = std::move(found);
  }

 private:
  // Operands of operands: an unrolled loop may be a chain of thousands.
  static constexpr unsigned kDeepest = 64;

  APInt find(Value* v) {
    const unsigned count = lanes_of(v);
    APInt lanes(count, 0);
    if (auto* constant = dyn_cast<Constant>(v)) {
      for (unsigned l = 0; l < count; ++l)
        if (Constant* element = constant->getAggregateElement(l); element && isa<PoisonValue>(element)) lanes.setBit(l);
      return lanes;
    }
    if (auto* shuffle = dyn_cast<ShuffleVectorInst>(v)) {
      const unsigned from = lanes_of(shuffle->getOperand(0));
      const APInt a = of(shuffle->getOperand(0)), b = of(shuffle->getOperand(1));
      for (unsigned l = 0; l < count; ++l) {
        const int source = shuffle->getMaskValue(l);
        if (source < 0 || (unsigned(source) < from ? a[unsigned(source)] : b[unsigned(source) - from])) lanes.setBit(l);
      }
      return lanes;
    }
    if (auto* insert = dyn_cast<InsertElementInst>(v)) {
      auto* at = dyn_cast<ConstantInt>(insert->getOperand(2));
      if (!at || at->getValue().uge(count)) return lanes;
      lanes = of(insert->getOperand(0));
      lanes.setBitVal(unsigned(at->getZExtValue()), isa<PoisonValue>(insert->getOperand(1)));
      return lanes;
    }
    if (auto* phi = dyn_cast<PHINode>(v)) {
      lanes.setAllBits();
      for (Value* incoming : phi->incoming_values()) lanes &= of(incoming);
      return lanes;
    }
    if (auto* select = dyn_cast<SelectInst>(v)) return of(select->getTrueValue()) & of(select->getFalseValue());
    // Of these a lane is poison as soon as that lane of an operand is.
    if (isa<BinaryOperator>(v) || isa<CastInst>(v) || isa<GetElementPtrInst>(v))
      for (Value* operand : cast<Instruction>(v)->operands())
        if (lanes_of(operand) == count) lanes |= of(operand);
    return lanes;
  }

  DenseMap<Value*, APInt> known_;
  unsigned depth_ = 0;
};

}  // namespace

void define_gather_addresses(Function& function) {
  PoisonLanes poison;
  for (Instruction& i : instructions(function)) {
    auto* gather = dyn_cast<IntrinsicInst>(&i);
    if (!gather || gather->getIntrinsicID() != Intrinsic::masked_gather) continue;
    Value* pointers = gather->getArgOperand(0);
    const APInt lanes = poison.of(pointers);
    if (lanes.isZero()) continue;
    SmallVector<int, 32> pick;
    for (unsigned l = 0; l < lanes.getBitWidth(); ++l) pick.push_back(int(lanes[l] ? lanes.getBitWidth() + l : l));
    IRBuilder<> b(gather);
    gather->setArgOperand(0, b.CreateShuffleVector(pointers, Constant::getNullValue(pointers->getType()), pick));
  }
}

}  // namespace warpwise::simt
