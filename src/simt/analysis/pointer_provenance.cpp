#include "simt/analysis/pointer_provenance.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include "simt/analysis/dialect_calls.h"
#include "simt/instrument/shadow.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// A pointer among the parameters: its index.
std::optional<unsigned> parameter(Value* v) {
  auto* load = dyn_cast<LoadInst>(v);
  if (!load || load->getPointerAddressSpace() != kParam || !load->getType()->isIntegerTy(64)) return std::nullopt;
  Value* pointer = load->getPointerOperand();
  const ConstantInt* offset = nullptr;
  if (isa<ConstantPointerNull>(pointer)) return 0;
  if (auto* cast = dyn_cast<IntToPtrInst>(pointer))
    offset = dyn_cast<ConstantInt>(cast->getOperand(0));
  else if (auto* constant = dyn_cast<ConstantExpr>(pointer); constant && constant->getOpcode() == Instruction::IntToPtr)
    offset = dyn_cast<ConstantInt>(constant->getOperand(0));
  if (!offset || offset->getZExtValue() % 8 != 0 || offset->getZExtValue() / 8 >= kPointers) return std::nullopt;
  return unsigned(offset->getZExtValue() / 8);
}

}  // namespace

std::optional<unsigned> pointer_parameter(Value* address) {
  constexpr size_t kMostSteps = 64;
  SmallPtrSet<Value*, 16> seen;
  SmallVector<Value*, 16> work{address};
  while (!work.empty() && seen.size() < kMostSteps) {
    Value* v = work.pop_back_val();
    if (!seen.insert(v).second) continue;
    if (auto found = parameter(v)) return found;
    auto* i = dyn_cast<Instruction>(v);
    if (!i) continue;
    switch (i->getOpcode()) {
      case Instruction::Add:
      case Instruction::Or:
      case Instruction::PHI:
      case Instruction::Freeze:
        // The pointer mostly stands first.
        for (Use& operand : reverse(i->operands())) work.push_back(operand.get());
        break;
      case Instruction::Sub:
        work.push_back(i->getOperand(0));
        break;
      case Instruction::Select:
        work.append({i->getOperand(2), i->getOperand(1)});
        break;
      default:
        break;
    }
  }
  return std::nullopt;
}

Sources sources_of(Value* address) {
  constexpr Sources kAnywhere{~uint64_t{0}, true};
  constexpr size_t kMostSteps = 1000;
  Sources sources;
  SmallPtrSet<Value*, 16> seen;
  SmallVector<Value*, 16> work{address};
  while (!work.empty()) {
    Value* v = work.pop_back_val();
    if (!seen.insert(v).second) continue;
    if (seen.size() > kMostSteps || isa<Argument>(v)) return kAnywhere;
    if (auto found = parameter(v)) {
      sources.pointers |= uint64_t{1} << *found;
      continue;
    }
    auto* i = dyn_cast<Instruction>(v);
    // Numbers of 32 bits and less are no addresses.
    if (!i || (i->getType()->isIntegerTy() && i->getType()->getIntegerBitWidth() < 64)) continue;
    if (auto dialect = dialect_of(i)) {
      // Variables, and memory of a thread or a block, are nothing that a parameter points to.
      if (*dialect == Dialect::SharedBase)
        sources.shared = true;
      else if (*dialect != Dialect::GlobalsBase && *dialect != Dialect::LocalBase)
        return kAnywhere;
      continue;
    }
    const bool joins_halves =
        i->getOpcode() == Instruction::Shl &&
        !(isa<ConstantInt>(i->getOperand(1)) && cast<ConstantInt>(i->getOperand(1))->getValue().ult(32));
    const bool known = isa<BinaryOperator>(i) || isa<PHINode>(i) || isa<SelectInst>(i) || isa<FreezeInst>(i) ||
                       isa<ZExtInst>(i) || isa<SExtInst>(i);
    if (!known || joins_halves) return kAnywhere;
    work.append(i->op_begin(), i->op_end());
  }
  return sources;
}

}  // namespace warpwise::simt
