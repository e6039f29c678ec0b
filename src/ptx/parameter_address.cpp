#include "ptx/parameter_address.h"

#include <set>
#include <string_view>

namespace warpwise::ptx {

namespace {

class Tracer {
 public:
  explicit Tracer(const Function& function) : function_(function) {}

  // The parameter's index, or one of these.
  static constexpr int64_t kElsewhere = -1, kLeadsBack = -2;

  int64_t trace(const Operand& operand) {
    if (operand.is(Operand::Kind::Symbol))
      return operand.symbol.kind == SymbolRef::Kind::Parameter ? int64_t{operand.symbol.index} : kElsewhere;
    if (!operand.is(Operand::Kind::Register)) return kElsewhere;
    if (!visited_.insert(operand.reg).second) return kLeadsBack;
    // A loop that increments the address writes it twice: before the loop, and from itself.
    int64_t found = kLeadsBack;
    for (const Instruction& inst : function_.instructions) {
      if (!writes(inst, operand.reg)) continue;
      const int64_t one = trace_result(inst);
      if (one == kLeadsBack) continue;
      if (found != kLeadsBack && found != one) return kElsewhere;
      found = one;
    }
    return found;
  }

 private:
  static bool writes(const Instruction& inst, RegisterId reg) {
    const auto slots = inst.spec().operands;
    if (inst.operands.empty() || slots.empty() || !slots[0].written) return false;
    return inst.operands[0].is(Operand::Kind::Register) && inst.operands[0].reg == reg;
  }

  int64_t trace_result(const Instruction& inst) {
    const std::string_view opcode = inst.spec().opcode;
    if (opcode == "mov" || opcode == "cvta") return trace(inst.operands[1]);
    if (opcode != "add") return kElsewhere;
    const int64_t left = trace(inst.operands[1]), right = trace(inst.operands[2]);
    return right == kElsewhere ? left : left == kElsewhere ? right : kElsewhere;
  }

  const Function& function_;
  std::set<RegisterId> visited_;
};

}  // namespace

std::optional<uint32_t> parameter_of_address(const Function& function, const Operand& address) {
  if (!address.is(Operand::Kind::Address) || address.base != Operand::Base::Register) return std::nullopt;
  Operand base;
  base.kind = Operand::Kind::Register;
  base.reg = address.reg;
  const int64_t found = Tracer(function).trace(base);
  return found >= 0 ? std::optional(static_cast<uint32_t>(found)) : std::nullopt;
}

}  // namespace warpwise::ptx
