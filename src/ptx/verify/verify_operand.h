// The verifier's checks of one operand.
#pragma once

#include <string>

#include "base/diagnostics.h"
#include "ptx/module.h"

namespace warpwise::ptx {

struct OperandContext {
  const Module& module;
  const Function& function;
  Diagnostics& diagnostics;

  Diagnostic& error(std::string code, Span at, std::string message);
  // The space of a symbol; Generic when it is not a variable or parameter.
  Space space_of(const SymbolRef& symbol) const;
  uint64_t size_of(const SymbolRef& symbol) const;  // bytes; 0 when it has no size
};

// Whether operand `index` fits its slot in the row. Reports an error when it does not.
bool verify_operand(OperandContext& context, const Instruction& instruction, size_t index);

// Whether an operand agrees with a type (9.4). `wider`: a wider register is accepted (9.4.1).
bool verify_type(OperandContext& context, const Instruction& instruction, const Operand& operand, Type type,
                 bool wider);

// "fma.rn.ftz.f32"
std::string opcode_text(const Instruction& instruction);

}  // namespace warpwise::ptx
