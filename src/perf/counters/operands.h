// What an instruction reads, what it writes, and where it jumps to.
#pragma once

#include <cstddef>

#include "ptx/module.h"

namespace warpwise::perf {

// Visits the registers of an operand, those of an address and of a vector included.
template <class Visit>
void for_each_register(const ptx::Operand& operand, Visit visit) {
  using Kind = ptx::Operand::Kind;
  if (operand.is(Kind::Register) || (operand.is(Kind::Address) && operand.base == ptx::Operand::Base::Register))
    visit(operand.reg);
  for (const ptx::Operand& element : operand.elements) for_each_register(element, visit);
}

// Whether the instruction writes the registers of its n-th operand; those of an address it reads.
inline bool is_result(const ptx::Instruction& instruction, size_t n) {
  const auto slots = instruction.spec().operands;
  return n < slots.size() && slots[n].written && !instruction.operands[n].is(ptx::Operand::Kind::Address);
}

template <class Visit>
void for_each_result(const ptx::Instruction& instruction, Visit visit) {
  for (size_t n = 0; n < instruction.operands.size(); ++n)
    if (is_result(instruction, n)) for_each_register(instruction.operands[n], visit);
}

// The guard included.
template <class Visit>
void for_each_register_read(const ptx::Instruction& instruction, Visit visit) {
  if (instruction.guard.present) visit(instruction.guard.reg);
  for (size_t n = 0; n < instruction.operands.size(); ++n)
    if (!is_result(instruction, n)) for_each_register(instruction.operands[n], visit);
}

// The number of the instruction that a `bra` jumps to; of the function's instructions, where it is no such branch.
inline size_t target_of_branch(const ptx::Function& function, const ptx::Instruction& branch) {
  if (branch.spec().opcode != "bra") return function.instructions.size();
  const ptx::SymbolRef target = branch.operands[0].symbol;
  return target.kind == ptx::SymbolRef::Kind::Label ? function.labels[target.index].instruction
                                                    : function.instructions.size();
}

}  // namespace warpwise::perf
