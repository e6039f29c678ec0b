#include "exec/register_estimate.h"

#include <algorithm>
#include <vector>

namespace warpwise::exec {
namespace {

// For addresses, the stack pointer and what scheduling keeps in flight.
constexpr unsigned kOverhead = 8;
constexpr unsigned kUnit = 8;  // ptxas hands out registers in eights
constexpr unsigned kMost = 255;

template <class Visit>
void visit_registers(const ptx::Operand& operand, Visit& visit) {
  bool based = operand.is(ptx::Operand::Kind::Address) && operand.base == ptx::Operand::Base::Register;
  if (operand.is(ptx::Operand::Kind::Register) || based) visit(operand.reg);
  for (const ptx::Operand& element : operand.elements) visit_registers(element, visit);
}

}  // namespace

unsigned estimate_registers(const ptx::Function& function) {
  struct Life {
    size_t first = ~size_t{0}, last = 0;
  };
  std::vector<Life> lives(function.registers.size());
  for (size_t i = 0; i < function.instructions.size(); ++i) {
    auto use = [&](ptx::RegisterId reg) {
      if (reg >= lives.size()) return;
      lives[reg].first = std::min(lives[reg].first, i);
      lives[reg].last = i;
    };
    const ptx::Instruction& instruction = function.instructions[i];
    if (instruction.guard.present) use(instruction.guard.reg);
    for (const ptx::Operand& operand : instruction.operands) visit_registers(operand, use);
  }
  // +size where a life starts, -size behind its end; the highest running sum is the answer.
  std::vector<int> change(function.instructions.size() + 1, 0);
  for (size_t r = 0; r < lives.size(); ++r) {
    if (lives[r].first == ~size_t{0}) continue;
    const ptx::Register& reg = function.registers[r];
    if (reg.type == ptx::Type::Pred) continue;  // predicates have registers of their own
    int size = static_cast<int>((ptx::bytes_of(reg.type) + 3) / 4 * reg.vector);
    change[lives[r].first] += size;
    change[lives[r].last] -= size;
  }
  int alive = 0, most = 0;
  for (int c : change) most = std::max(most, alive += c);
  unsigned estimate = (static_cast<unsigned>(most) + kOverhead + kUnit - 1) / kUnit * kUnit;
  if (function.max_registers != 0) estimate = std::min(estimate, function.max_registers);
  return std::clamp(estimate, 16u, kMost);
}

}  // namespace warpwise::exec
