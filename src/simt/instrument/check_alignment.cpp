#include "simt/instrument/check_alignment.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "simt/analysis/dialect_calls.h"
#include "simt/analysis/pointer_address.h"
#include "simt/dialect.h"
#include "simt/instrument/events.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// The windows of shared and local memory and the module's variables begin at multiples of more than any access's size.
bool is_base(const Value& value) {
  auto which = dialect_of(&value);
  return which && (*which == Dialect::SharedBase || *which == Dialect::LocalBase || *which == Dialect::GlobalsBase ||
                   *which == Dialect::ParamBase);
}

// An access to check: `log2` of what its address must be a multiple of.
struct Aligned {
  Instruction* instruction = nullptr;
  Value* address = nullptr;
  unsigned space = 0, bytes = 0, log2 = 0;
};

// The parts of one address that are not known to be aligned, and what is assumed of the others.
class AddressParts {
 public:
  AddressParts(Value* address, unsigned log2, bool may_assume) : may_assume_(may_assume) { split(address, log2); }

  SmallVector<Value*, 4> left;
  LaunchAlignments assumed;

 private:
  // Takes sums apart.
  void split(Value* value, unsigned log2) {
    if (proves(value, log2)) return;
    auto* sum = dyn_cast<BinaryOperator>(value);
    const bool adds = sum && sum->getOpcode() == Instruction::Add && left.size() + 1 < kMostParts;
    const bool subtracts = sum && sum->getOpcode() == Instruction::Sub && proves(sum->getOperand(1), log2);
    if (!adds && !subtracts) return left.push_back(value);
    split(sum->getOperand(0), log2);
    if (adds) split(sum->getOperand(1), log2);
  }

  // What a proof assumes counts if it succeeds.
  bool proves(Value* value, unsigned log2) {
    const LaunchAlignments before = assumed;
    loops_.clear();
    steps_ = 0;
    if (is_aligned(value, log2)) return true;
    assumed = before;
    return false;
  }

  // Whether the low bits are zeros. A loop's value has them if those have that come from outside, and its steps: while
  // it is asked of those, it counts as proved.
  bool is_aligned(Value* value, unsigned log2) {
    if (log2 == 0) return true;
    if (auto* constant = dyn_cast<ConstantInt>(value)) return constant->getValue().countr_zero() >= log2;
    auto* i = dyn_cast<Instruction>(value);
    if (!i || ++steps_ > kMostSteps) return false;
    if (is_base(*i)) return true;
    auto of = [&](unsigned operand, unsigned bits) { return is_aligned(i->getOperand(operand), bits); };
    auto constant = [&] { return dyn_cast<ConstantInt>(i->getOperand(1)); };
    switch (i->getOpcode()) {
      case Instruction::Add:
      case Instruction::Sub:
      case Instruction::Or:
      case Instruction::Xor:
        return of(0, log2) && of(1, log2);
      case Instruction::And:
        return either(*i, log2);
      case Instruction::Mul: {
        if (auto* factor = constant()) return of(0, log2 - std::min<unsigned>(log2, factor->getValue().countr_zero()));
        return either(*i, log2);
      }
      case Instruction::Shl: {
        const uint64_t by = constant() ? constant()->getValue().getLimitedValue(log2) : 0;
        return of(0, log2 - unsigned(by));
      }
      case Instruction::ZExt:
      case Instruction::SExt:
      case Instruction::Trunc:
      case Instruction::Freeze:
        return of(0, log2);
      case Instruction::Select:
        return of(1, log2) && of(2, log2);
      case Instruction::PHI: {
        const auto [known, fresh] = loops_.try_emplace(i, log2);
        if (!fresh) return known->second >= log2;
        return all_of(cast<PHINode>(i)->incoming_values(), [&](Use& in) { return is_aligned(in.get(), log2); });
      }
      case Instruction::Load:
        return is_aligned_parameter(cast<LoadInst>(*i), log2);
      default:
        return false;
    }
  }

  // One of two operands. What the failure of the first has assumed does not count.
  bool either(Instruction& i, unsigned log2) {
    const LaunchAlignments before = assumed;
    const DenseMap<Value*, unsigned> loops = loops_;
    if (is_aligned(i.getOperand(1), log2)) return true;
    assumed = before;
    loops_ = loops;
    return is_aligned(i.getOperand(0), log2);
  }

  bool is_aligned_parameter(LoadInst& load, unsigned log2) {
    auto* offset = dyn_cast_or_null<ConstantInt>(address_of_pointer(load.getPointerOperand()));
    if (!may_assume_ || !offset || load.getPointerAddressSpace() != kParam || !load.getType()->isIntegerTy())
      return false;
    assumed.add({uint32_t(offset->getZExtValue()), uint8_t(log2)});
    return true;
  }

  static constexpr unsigned kMostParts = 4, kMostSteps = 64;
  const bool may_assume_;
  DenseMap<Value*, unsigned> loops_;  // phis, with what is asked of them
  unsigned steps_ = 0;
};

class AlignmentChecker {
 public:
  AlignmentChecker(Function& function, bool may_assume)
      : function_(function), may_assume_(may_assume), b_(function.getContext()), dominators_(function) {}

  AlignmentChecks run() {
    SmallVector<Aligned, 64> accesses;
    for (Instruction& i : instructions(function_))
      if (const Aligned access = access_of(i); access.log2 != 0) accesses.push_back(access);
    for (const Aligned& access : accesses) check(access);
    return std::move(result_);
  }

 private:
  // log2 0: nothing to check. Parameters lie where the engine has put them; what is no address is a register of a call.
  static Aligned access_of(Instruction& i) {
    Value* pointer = nullptr;
    Type* type = nullptr;
    if (auto* load = dyn_cast<LoadInst>(&i)) {
      pointer = load->getPointerOperand(), type = load->getType();
    } else if (auto* store = dyn_cast<StoreInst>(&i)) {
      pointer = store->getPointerOperand(), type = store->getValueOperand()->getType();
    } else if (auto* rmw = dyn_cast<AtomicRMWInst>(&i)) {
      pointer = rmw->getPointerOperand(), type = rmw->getType();
    } else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&i)) {
      pointer = exchange->getPointerOperand(), type = exchange->getCompareOperand()->getType();
    }
    Value* address = pointer ? address_of_pointer(pointer) : nullptr;
    if (!address || pointer->getType()->getPointerAddressSpace() == kParam) return {};
    unsigned bytes = unsigned(type->getPrimitiveSizeInBits().getFixedValue()) / 8;
    if (auto* group = i.getMetadata("ww.group")) {
      // The elements of a vector: asked of the first.
      auto number = [&](unsigned n) { return mdconst::extract<ConstantInt>(group->getOperand(n))->getZExtValue(); };
      if (number(0) != 0) return {};
      bytes *= unsigned(number(1));
    }
    return {&i, address, pointer->getType()->getPointerAddressSpace(), bytes, Log2_32(std::max(bytes, 1u))};
  }

  void check(const Aligned& access) {
    const AddressParts parts(access.address, access.log2, may_assume_);
    result_.assumed.add(parts.assumed);
    if (parts.left.empty() || is_tested(parts, access)) return;
    result_.any = true;
    tests_.push_back({parts.left, access.log2, access.instruction});
    b_.SetInsertPoint(access.instruction);
    b_.SetCurrentDebugLocation(access.instruction->getDebugLoc());
    Value* sum = parts.left[0];
    for (Value* part : drop_begin(parts.left)) sum = b_.CreateAdd(sum, part);
    Value* low = b_.CreateAnd(sum, (uint64_t{1} << access.log2) - 1);
    report(b_.CreateICmpNE(low, b_.getInt64(0)), access);
  }

  // Another access with the same parts comes before it on every way.
  bool is_tested(const AddressParts& parts, const Aligned& access) const {
    return any_of(tests_, [&](const Test& test) {
      return test.log2 >= access.log2 && test.parts == parts.left && dominators_.dominates(test.at, access.instruction);
    });
  }

  void report(Value* condition, const Aligned& access) {
    auto call = [&](Dialect which, Type* result, ArrayRef<Value*> arguments) {
      SmallVector<Type*, 4> types;
      for (Value* argument : arguments) types.push_back(argument->getType());
      FunctionCallee callee =
          function_.getParent()->getOrInsertFunction(name_of(which), FunctionType::get(result, types, false));
      return b_.CreateCall(callee, arguments);
    };
    Value* address = access.address;
    if (access.space == kShared) address = b_.CreateAdd(call(Dialect::SharedBase, b_.getInt64Ty(), {}), address);
    if (access.space == kLocal) address = b_.CreateAdd(call(Dialect::LocalBase, b_.getInt64Ty(), {}), address);
    const event::Misaligned event{uint8_t(access.bytes)};
    call(Dialect::Event, b_.getVoidTy(), {condition, b_.getInt32(pack(event)), address, b_.getInt64(0)});
  }

  struct Test {
    SmallVector<Value*, 4> parts;
    unsigned log2;
    Instruction* at;
  };
  Function& function_;
  const bool may_assume_;
  IRBuilder<> b_;
  const DominatorTree dominators_;
  AlignmentChecks result_;
  SmallVector<Test, 8> tests_;
};

}  // namespace

AlignmentChecks check_alignment(Function& function, bool may_assume) {
  return AlignmentChecker(function, may_assume).run();
}

}  // namespace warpwise::simt
