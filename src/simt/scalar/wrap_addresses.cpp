#include "simt/scalar/wrap_addresses.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include <bit>

#include "simt/analysis/dialect_calls.h"
#include "simt/dialect.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// A tree of operations deeper than this is cut off by a truncation.
constexpr unsigned kDeepest = 16;

// The largest value, as an unsigned number, that an integer can have. LLVM's known bits serve where a calculation
// cannot be followed: they do not know the indices of threads, nor phis such as that of `buffer ^= 1`.
class UpperBounds {
 public:
  explicit UpperBounds(const DataLayout& layout) : layout_(layout) {}

  uint64_t most(Value* value, unsigned depth = 0) {
    if (auto* constant = dyn_cast<ConstantInt>(value))
      return constant->getBitWidth() <= 64 ? constant->getZExtValue() : UINT64_MAX;
    const unsigned bits = value->getType()->getIntegerBitWidth();
    if (bits > 64) return UINT64_MAX;
    auto* i = dyn_cast<Instruction>(value);
    if (!i || depth > kDeepest) return top_of(bits);
    if (auto known = known_.find(i); known != known_.end()) return known->second;
    const uint64_t plain = computeKnownBits(i, layout_).getMaxValue().getZExtValue();
    return known_[i] = std::min(plain, of_operation(*i, top_of(bits), depth + 1));
  }

 private:
  static uint64_t top_of(unsigned bits) { return bits == 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1; }

  // At most `top`, the largest number of the type.
  uint64_t of_operation(Instruction& i, uint64_t top, unsigned depth) {
    auto operand = [&](unsigned n) { return most(i.getOperand(n), depth); };
    auto constant = [&](unsigned n) { return dyn_cast<ConstantInt>(i.getOperand(n)); };
    uint64_t result = top;
    switch (i.getOpcode()) {
      case Instruction::Add:
        return __builtin_add_overflow(operand(0), operand(1), &result) || result > top ? top : result;
      case Instruction::Mul:
        return __builtin_mul_overflow(operand(0), operand(1), &result) || result > top ? top : result;
      case Instruction::Shl:
        if (auto* c = constant(1); c && c->getValue().ult(32))
          return operand(0) > top >> c->getZExtValue() ? top : operand(0) << c->getZExtValue();
        return top;
      case Instruction::LShr:
        if (auto* c = constant(1); c && c->getValue().ult(64)) return operand(0) >> c->getZExtValue();
        return operand(0);
      case Instruction::URem:
        if (auto* c = constant(1); c && !c->isZero()) return std::min(operand(0), c->getZExtValue() - 1);
        return top;
      case Instruction::And:
        return std::min(operand(0), operand(1));
      case Instruction::Or:
      case Instruction::Xor:
        return ones_below(std::max(operand(0), operand(1)));
      case Instruction::ZExt:
      case Instruction::Trunc:
        return i.getOperand(0)->getType()->getIntegerBitWidth() > 64 ? top : std::min(top, operand(0));
      case Instruction::Select:
        return std::max(operand(1), operand(2));
      case Instruction::PHI:
        return ones_of_phi(cast<PHINode>(i), top, depth);
      case Instruction::Call:
        return of_call(i, top);
      default:
        return top;
    }
  }

  // The limits of a launch on every device.
  static uint64_t of_call(Instruction& call, uint64_t top) {
    const auto which = dialect_of(&call);
    if (!which) return top;
    switch (*which) {
      case Dialect::TidX:
      case Dialect::TidY:
        return 1023;
      case Dialect::TidZ:
        return 63;
      case Dialect::LaneId:
      case Dialect::WarpId:
        return 31;
      case Dialect::NtidX:
      case Dialect::NtidY:
        return 1024;
      case Dialect::NtidZ:
        return 64;
      default:
        return top;
    }
  }

  static uint64_t ones_below(uint64_t most) { return most == 0 ? 0 : UINT64_MAX >> std::countl_zero(most); }

  // Bits that may be set in a phi: those of what comes in from outside, and those that logic on the phi itself adds.
  uint64_t ones_of_phi(PHINode& phi, uint64_t top, unsigned depth) {
    uint64_t ones = 0;
    for (unsigned round = 0; round < 64; ++round) {
      uint64_t next = ones;
      for (Value* in : phi.incoming_values()) next |= ones_of(in, phi, ones, top, depth);
      if (next == ones) return ones;
      ones = next;
    }
    return top;
  }

  uint64_t ones_of(Value* value, PHINode& phi, uint64_t ones, uint64_t top, unsigned depth) {
    if (value == &phi) return ones;
    if (auto* constant = dyn_cast<ConstantInt>(value)) return constant->getZExtValue();
    auto* logic = dyn_cast<BinaryOperator>(value);
    if (!logic || depth > kDeepest || !logic->isBitwiseLogicOp())
      return ~computeKnownBits(value, layout_).Zero.getZExtValue() & top;
    const uint64_t a = ones_of(logic->getOperand(0), phi, ones, top, depth + 1),
                   b = ones_of(logic->getOperand(1), phi, ones, top, depth + 1);
    return logic->getOpcode() == Instruction::And ? a & b : a | b;
  }

  const DataLayout& layout_;
  DenseMap<Value*, uint64_t> known_;
};

class Wrapper {
 public:
  explicit Wrapper(Function& function)
      : bounds_(function.getDataLayout()),
        layout_(function.getDataLayout()),
        b_(function.getContext()),
        i32_(b_.getInt32Ty()) {}

  // `address` as it is, or the number that its access needs.
  Value* wrapped(Instruction* address) {
    if (Value* known = wrapped_.lookup(address)) return known;
    return wrapped_[address] = wrap(address);
  }

 private:
  Value* wrap(Instruction* address) {
    using namespace PatternMatch;
    if (is_below_4_gib(address, 0)) return address;
    Value* base = nullptr;
    ConstantInt* constant = nullptr;
    int64_t distance = 0;
    if (match(address, m_Add(m_Value(base), m_ConstantInt(constant))) &&
        std::abs(SignExtend64<32>(constant->getZExtValue())) <= kFarthestConstant)
      distance = SignExtend64<32>(constant->getZExtValue());
    else
      base = address, constant = nullptr;
    const bool whole = !constant || constant->getSExtValue() == distance;
    if (whole && (is_below_4_gib(base, distance) || is_extended(base))) return address;
    Value* low = narrow(base, kDeepest);
    Value*& offset = extended_[low];
    if (!offset) offset = after(low).CreateSExt(low, address->getType());
    return constant ? after(address).CreateAdd(offset, b_.getInt64(uint64_t(distance))) : offset;
  }

  // Whether the sum is known to be a number of 32 bits: then it is what the GPU computes.
  bool is_below_4_gib(Value* base, int64_t distance) {
    if (distance < 0 && computeKnownBits(base, layout_).getMinValue().ult(uint64_t(-distance))) return false;
    const uint64_t most = bounds_.most(base);
    return most <= uint64_t{1} << 40 && int64_t(most) + distance <= int64_t{UINT32_MAX};
  }

  bool is_extended(Value* value) const { return isa<SExtInst>(value) && cast<SExtInst>(value)->getSrcTy() == i32_; }

  // The low half of a 64-bit number, computed in 32 bits as far as that is possible.
  Value* narrow(Value* value, unsigned depth) {
    if (auto* constant = dyn_cast<ConstantInt>(value)) return ConstantInt::get(i32_, constant->getValue().trunc(32));
    if (auto* cast = dyn_cast<CastInst>(value);
        cast && cast->getOperand(0)->getType() == i32_ && (isa<ZExtInst>(cast) || isa<SExtInst>(cast)))
      return cast->getOperand(0);
    auto* i = dyn_cast<Instruction>(value);
    if (!i) {  // an argument
      Value*& low = narrow_[value];
      if (!low) low = after(value).CreateTrunc(value, i32_);
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
      case Instruction::And:
        // A mask with the highest bit has a lane shape only in 64 bits.
        if (auto* mask = dyn_cast<ConstantInt>(binary->getOperand(1)); mask && mask->getValue()[31]) return nullptr;
        break;
      case Instruction::Add:
      case Instruction::Sub:
      case Instruction::Mul:
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

  IRBuilder<>& after(Value* value) {
    if (auto* i = dyn_cast<Instruction>(value)) {
      b_.SetInsertPoint(*i->getInsertionPointAfterDef());
      b_.SetCurrentDebugLocation(i->getDebugLoc());
    } else if (auto* argument = dyn_cast<Argument>(value)) {
      BasicBlock& entry = argument->getParent()->getEntryBlock();
      b_.SetInsertPoint(&entry, entry.getFirstInsertionPt());
      b_.SetCurrentDebugLocation(DebugLoc());
    }
    return b_;  // what is made of constants is a constant
  }

  UpperBounds bounds_;
  const DataLayout& layout_;
  IRBuilder<> b_;
  Type* i32_;
  DenseMap<Value*, Value*> narrow_, extended_, wrapped_;
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
