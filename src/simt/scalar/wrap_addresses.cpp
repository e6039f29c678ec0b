#include "simt/scalar/wrap_addresses.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include "simt/dialect.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// A tree of operations deeper than this is cut off by a truncation.
constexpr unsigned kDeepest = 16;

class Wrapper {
 public:
  explicit Wrapper(Function& function)
      : layout_(function.getDataLayout()), b_(function.getContext()), i32_(b_.getInt32Ty()) {}

  // `address` as it is, or the number that its access needs.
  Value* wrapped(Instruction* address) {
    if (Value* known = wrapped_.lookup(address)) return known;
    return wrapped_[address] = wrap(address);
  }

 private:
  Value* wrap(Instruction* address) {
    using namespace PatternMatch;
    if (computeKnownBits(address, layout_).countMinLeadingZeros() > 32) return address;
    Value* base = address;
    ConstantInt* constant = nullptr;
    if (!match(address, m_Add(m_Value(base), m_ConstantInt(constant))) ||
        std::abs(SignExtend64<32>(constant->getZExtValue())) > kFarthestConstant)
      base = address, constant = nullptr;
    auto* value = dyn_cast<Instruction>(base);
    if (!value) value = address, constant = nullptr;  // an argument
    if (isa<SExtInst>(value) && value->getOperand(0)->getType() == i32_) return address;
    Value* low = narrow(value, kDeepest);
    auto* last = dyn_cast<Instruction>(low);
    if (!last || last->getParent() != address->getParent() || last->comesBefore(address)) last = address;
    Value* offset = after(last).CreateSExt(low, address->getType());
    return constant ? b_.CreateAdd(offset, b_.getInt64(uint64_t(SignExtend64<32>(constant->getZExtValue())))) : offset;
  }

  // The low half of a 64-bit number, computed in 32 bits as far as that is possible.
  Value* narrow(Value* value, unsigned depth) {
    if (auto* constant = dyn_cast<ConstantInt>(value)) return ConstantInt::get(i32_, constant->getValue().trunc(32));
    if (auto* cast = dyn_cast<CastInst>(value);
        cast && cast->getOperand(0)->getType() == i32_ && (isa<ZExtInst>(cast) || isa<SExtInst>(cast)))
      return cast->getOperand(0);
    auto* i = dyn_cast<Instruction>(value);
    if (!i) {  // an argument
      Value*& low = narrow_[value];
      if (!low) low = at_entry_of(*cast<Argument>(value)).CreateTrunc(value, i32_);
      return low;
    }
    if (Value* known = narrow_.lookup(i)) return known;
    Value* low = depth == 0 ? nullptr : narrow_operation(*i, depth - 1);
    if (!low) low = after(i).CreateTrunc(i, i32_);
    return narrow_[i] = low;
  }

  // Null where the low half of the result depends on more than the low halves of the operands.
  Value* narrow_operation(Instruction& i, unsigned depth) {
    if (auto* choice = dyn_cast<SelectInst>(&i)) {
      Value *a = narrow(choice->getTrueValue(), depth), *b = narrow(choice->getFalseValue(), depth);
      return after(&i).CreateSelect(choice->getCondition(), a, b);
    }
    // What InstCombine made of an earlier sext(trunc).
    Value* extended = nullptr;
    if (PatternMatch::match(&i, PatternMatch::m_AShr(PatternMatch::m_Shl(PatternMatch::m_Value(extended),
                                                                         PatternMatch::m_SpecificInt(32)),
                                                     PatternMatch::m_SpecificInt(32))))
      return narrow(extended, depth);
    auto* binary = dyn_cast<BinaryOperator>(&i);
    if (!binary) return nullptr;
    switch (binary->getOpcode()) {
      case Instruction::Shl: {
        auto* distance = dyn_cast<ConstantInt>(binary->getOperand(1));
        if (!distance || distance->getValue().uge(32)) return nullptr;
        break;
      }
      case Instruction::Add:
      case Instruction::Sub:
      case Instruction::Mul:
      case Instruction::And:
      case Instruction::Or:
      case Instruction::Xor:
        break;
      default:
        return nullptr;
    }
    Value *a = narrow(binary->getOperand(0), depth), *b = narrow(binary->getOperand(1), depth);
    if (Value* simple = simplifyBinOp(binary->getOpcode(), a, b, SimplifyQuery(layout_))) return simple;
    return after(&i).CreateBinOp(binary->getOpcode(), a, b);
  }

  IRBuilder<>& at_entry_of(Argument& argument) {
    BasicBlock& entry = argument.getParent()->getEntryBlock();
    b_.SetInsertPoint(&entry, entry.getFirstInsertionPt());
    return b_;
  }

  IRBuilder<>& after(Instruction* i) {
    b_.SetInsertPoint(*i->getInsertionPointAfterDef());
    b_.SetCurrentDebugLocation(i->getDebugLoc());
    return b_;
  }

  const DataLayout& layout_;
  IRBuilder<> b_;
  Type* i32_;
  DenseMap<Value*, Value*> narrow_, wrapped_;
};

bool has_32_bits(const Type& pointer) {
  const unsigned space = pointer.getPointerAddressSpace();
  return space == kShared || space == kLocal;
}

// Addresses that are known.
void wrap_constants(Function& function) {
  for (Instruction& i : instructions(function))
    for (Use& use : i.operands()) {
      auto* pointer = dyn_cast<ConstantExpr>(use.get());
      if (!pointer || pointer->getOpcode() != Instruction::IntToPtr || !has_32_bits(*pointer->getType())) continue;
      auto* address = dyn_cast<ConstantInt>(pointer->getOperand(0));
      if (!address || !address->getType()->isIntegerTy(64)) continue;
      const auto offset = uint64_t(SignExtend64<32>(address->getZExtValue()));
      if (offset != address->getZExtValue())
        use.set(ConstantExpr::getIntToPtr(ConstantInt::get(address->getType(), offset), pointer->getType()));
    }
}

}  // namespace

void wrap_addresses(Function& function) {
  SmallVector<IntToPtrInst*, 32> pointers;
  for (Instruction& i : instructions(function))
    if (auto* pointer = dyn_cast<IntToPtrInst>(&i); pointer && pointer->getType()->isPointerTy() &&
                                                    has_32_bits(*pointer->getType()) &&
                                                    pointer->getOperand(0)->getType()->isIntegerTy(64))
      pointers.push_back(pointer);
  Wrapper wrapper(function);
  SmallVector<WeakTrackingVH, 32> replaced;  // deleted at the end, because `wrapper` remembers them
  for (IntToPtrInst* pointer : pointers) {
    auto* address = dyn_cast<Instruction>(pointer->getOperand(0));
    if (!address) continue;
    pointer->setOperand(0, wrapper.wrapped(address));
    replaced.push_back(address);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
  wrap_constants(function);
}

}  // namespace warpwise::simt
