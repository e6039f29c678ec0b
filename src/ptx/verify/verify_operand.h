// What the verifier asks about one operand.
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
  // Where a symbol lives; Generic when it is no variable or parameter.
  Space space_of(const SymbolRef& symbol) const;
  uint64_t size_of(const SymbolRef& symbol) const;  // bytes; 0 when it has no size
};

// Does operand `index` fit its slot in the row? Reports when not.
bool verify_operand(OperandContext& context, const Instruction& instruction, size_t index);

// Does an operand agree with a type (9.4)? `wider`: a wider register will do (9.4.1).
bool verify_type(OperandContext& context, const Instruction& instruction, const Operand& operand, Type type,
                 bool wider);

// "fma.rn.ftz.f32"
std::string opcode_text(const Instruction& instruction);

}  // namespace warpwise::ptx
