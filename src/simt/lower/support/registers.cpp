// Chooses each register's LLVM type by what the instructions do with it.
//
// PTX registers are untyped bits: nvcc 13 keeps floats in .b32 registers, Clang declares .f32 and both
// move through .b32. If a float were held as i32, each arithmetic instruction would be between two bitcasts. They cost
// nothing in machine code, but they hide the arithmetic from LLVM and put a NaN correction (emit.h) after each
// instruction. So an operand that an instruction treats as f32 votes for float, one that is treated as an integer votes
// against; loads, stores and moves of bits abstain. A declaration as .f32 is a vote too. With a tie the declaration
// decides.
#include "simt/lower/support/function_lowering.h"

namespace warpwise::simt {

namespace {

using ptx::Operand;
using ptx::Type;

// The type in which `inst` sees its operand: the first type is the result's, the last the sources'.
// Of instructions with two types (cvt.f32.s32, set.eq.u32.f32, dp4a.s32.u32) this is exact for operand
// 0 and 1, which is all a vote needs.
Type operand_type(const ptx::Instruction& inst, unsigned index) {
  Type first = inst.type(0), second = inst.type(1);
  if (second == Type::None || index == 0) return first;
  if (inst.spec().unit == ptx::Unit::Tensor && index == 3) {  // mma's c, whose type comes last
    for (unsigned n = 3; n > 1; --n)
      if (inst.type(n) != Type::None) return inst.type(n);
  }
  // Operands of two types that the row distinguishes: c of `add.f32.f16 d, a, c`.
  const auto operands = inst.spec().operands;
  if (inst.spec().unit == ptx::Unit::Fp32 && index < operands.size() && operands[index].rule == ptx::TypeRule::Nth)
    return inst.type(operands[index].index);
  return second;
}

class Votes {
 public:
  explicit Votes(const ptx::Function& function) : declared_(function.registers), balance_(function.registers.size()) {
    for (size_t r = 0; r < balance_.size(); ++r) {
      if (ptx::is_float(function.registers[r].type)) balance_[r] = 1;
    }
    for (const ptx::Instruction& inst : function.instructions) {
      for (unsigned i = 0; i < inst.operands.size(); ++i) count(inst.operands[i], operand_type(inst, i));
    }
  }
  bool is_float(size_t r) const { return balance_[r] > 0; }

 private:
  void count(const Operand& operand, Type type) {
    if (operand.is(Operand::Kind::Register)) {
      // Of f16 there may be two in a register (mma): that is not a float.
      const bool whole = ptx::bits_of(type) == ptx::bits_of(declared_[operand.reg].type);
      if (whole && (type == Type::F32 || type == Type::F64 || type == Type::F16)) {
        ++balance_[operand.reg];
      } else if (ptx::kind_of(type) != ptx::TypeKind::Bits && type != Type::None) {
        --balance_[operand.reg];  // integers, packed types, and floats that LLVM holds as integers (bf16, tf32)
      }
    }
    for (const Operand& element : operand.elements) count(element, type);
  }
  const std::vector<ptx::Register>& declared_;
  std::vector<int> balance_;
};

}  // namespace

std::vector<llvm::Type*> register_types(const ptx::Function& function, llvm::LLVMContext& context) {
  Votes votes(function);
  std::vector<llvm::Type*> types;
  for (size_t r = 0; r < function.registers.size(); ++r) {
    Type declared = function.registers[r].type;
    unsigned bits = ptx::bits_of(declared);
    bool is_float = votes.is_float(r) && declared != Type::BF16 && declared != Type::TF32;
    if (is_float && bits == 16) {
      types.push_back(llvm::Type::getHalfTy(context));
    } else if (is_float && bits == 32) {
      types.push_back(llvm::Type::getFloatTy(context));
    } else if (is_float && bits == 64) {
      types.push_back(llvm::Type::getDoubleTy(context));
    } else {
      types.push_back(llvm::Type::getIntNTy(context, bits));
    }
  }
  return types;
}

}  // namespace warpwise::simt
