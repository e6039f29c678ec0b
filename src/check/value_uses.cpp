#include "check/value_uses.h"

#include <vector>

#include "ptx/isa/isa.h"

namespace warpwise::check {

namespace {

using ptx::Instruction;
using ptx::Operand;

template <class F>
void each_register(const Operand& operand, const F& f) {
  if (operand.is(Operand::Kind::Register) || (operand.is(Operand::Kind::Address) && operand.base == Operand::Base::Register)) f(operand.reg);
  for (const Operand& element : operand.elements) each_register(element, f);
}

bool is_written(const Instruction& inst, size_t operand) {
  const auto slots = inst.spec().operands;
  return operand < slots.size() && slots[operand].written;
}

// Stores whose memory belongs to the thread, or to a call: what is there is read again by other instructions.
bool hides_value(const Instruction& inst) {
  const std::string_view opcode = inst.spec().opcode;
  if (opcode == "call" || opcode == "ret") return true;
  if (opcode != "st") return false;
  const ptx::Space space = inst.space();
  return space == ptx::Space::Local || space == ptx::Space::Param;
}

}  // namespace

ValueUse use_of_result(const ptx::Function& function, size_t instruction) {
  std::vector<bool> holds(function.registers.size());
  bool used = false, decides = false, more = false;
  auto spread = [&](const Instruction& inst) {
    for (size_t n = 0; n < inst.operands.size(); ++n) {
      if (!is_written(inst, n) || inst.operands[n].is(Operand::Kind::Address)) continue;
      each_register(inst.operands[n], [&](ptx::RegisterId r) {
        more = more || !holds[r];
        holds[r] = true;
      });
    }
  };
  spread(function.instructions[instruction]);
  while (more && !decides) {
    more = false;
    for (const Instruction& inst : function.instructions) {
      bool reads = inst.guard.present && holds[inst.guard.reg];
      decides = decides || reads;
      for (size_t n = 0; n < inst.operands.size(); ++n)
        if (!is_written(inst, n) || inst.operands[n].is(Operand::Kind::Address)) each_register(inst.operands[n], [&](ptx::RegisterId r) { reads = reads || holds[r]; });
      if (!reads) continue;
      used = true;
      decides = decides || hides_value(inst) || inst.has(ptx::Mod::Cas);
      spread(inst);
    }
  }
  return decides ? ValueUse::Decision : used ? ValueUse::Data : ValueUse::None;
}

}  // namespace warpwise::check
