#include "simt/analysis/flushing_arithmetic.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "ptx/isa/isa.h"

namespace warpwise::simt {

namespace {

// Whatever the type: nothing is rounded.
constexpr auto kMoves =
    std::to_array<std::string_view>({"ld", "ldu", "st", "mov", "setp", "set", "selp", "slct", "testp", "copysign"});
// Of singles: one of the operands, but for its sign, or what .ftz says; roots, which are never so small.
constexpr auto kSingles = std::to_array<std::string_view>({"min", "max", "abs", "neg", "sqrt", "rsqrt"});
constexpr auto kArithmetic = std::to_array<std::string_view>(
    {"add", "sub", "mul", "fma", "mad", "div", "rcp", "sin", "cos", "lg2", "ex2", "tanh"});

template <size_t kCount>
bool has(const std::array<std::string_view, kCount>& opcodes, std::string_view opcode) {
  return std::find(opcodes.begin(), opcodes.end(), opcode) != opcodes.end();
}

bool flushes(const ptx::Instruction& instruction) {
  bool has_numbers = false, has_others = false;
  for (unsigned n = 0; instruction.type(n) != ptx::Type::None; ++n) {
    const ptx::Type type = instruction.type(n);
    has_numbers |= type == ptx::Type::F32;
    has_others |= type != ptx::Type::F32 && (ptx::is_float(type) || ptx::kind_of(type) == ptx::TypeKind::Packed);
  }
  const std::string_view opcode = instruction.spec().opcode;
  if (opcode == "tcgen05") return false;  // its products name kinds of numbers, not types
  if ((!has_numbers && !has_others) || has(kMoves, opcode)) return true;
  // A float in single precision becomes a double exactly: the arguments of printf.
  if (opcode == "cvt" && instruction.type(0) == ptx::Type::F64 && instruction.type(1) == ptx::Type::F32) return true;
  if (has_others) return false;
  if (opcode == "cvt" || has(kSingles, opcode)) return true;
  if (opcode == "atom" || opcode == "red") return instruction.space() == ptx::Space::Global;  // flushes there
  return has(kArithmetic, opcode) && instruction.has(ptx::Mod::Ftz);
}

}  // namespace

bool flushes_all_subnormals(const ptx::Module& module, uint32_t kernel) {
  for (uint32_t f = 0; f < module.functions.size(); ++f) {
    const ptx::Function& function = module.functions[f];
    if (function.is_entry && f != kernel) continue;
    if (!std::all_of(function.instructions.begin(), function.instructions.end(), flushes)) return false;
  }
  return true;
}

}  // namespace warpwise::simt
