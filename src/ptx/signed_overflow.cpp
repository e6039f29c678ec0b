#include "ptx/signed_overflow.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "ptx/isa/isa.h"

namespace warpwise::ptx {
namespace {

using Kind = Operand::Kind;

constexpr std::array<std::pair<std::string_view, SignedOperation>, 5> kHandlers{{
    {"__ubsan_handle_add_overflow", SignedOperation::Add},
    {"__ubsan_handle_sub_overflow", SignedOperation::Subtract},
    {"__ubsan_handle_mul_overflow", SignedOperation::Multiply},
    {"__ubsan_handle_negate_overflow", SignedOperation::Negate},
    {"__ubsan_handle_divrem_overflow", SignedOperation::Divide},
}};

// OverflowData: {const char* file; u32 line, column; const TypeDescriptor* type;}
constexpr uint64_t kTypeInData = 16;
// TypeDescriptor: {u16 kind; u16 info; char name[];}. An integer's info is the logarithm of its bits * 2, + 1 for
// signed types; its name has quotes.
constexpr size_t kInfoInType = 2, kNameInType = 4;

// The operand that the argument variable `parameter` was stored from: the last store before the call.
const Operand* stored_to(const Function& function, uint32_t parameter, size_t call) {
  for (size_t i = call; i-- > 0;) {
    const Instruction& inst = function.instructions[i];
    if (inst.op != Op::st_param) continue;
    const Operand& to = inst.operands[0];
    if (to.base == Operand::Base::Symbol && to.symbol == SymbolRef{SymbolRef::Kind::FunctionVariable, parameter})
      return &inst.operands[1];
  }
  return nullptr;
}

// The variable whose address a register holds. Clang's code writes such a register once.
const Variable* variable_named_by(const Module& module, const Function& function, const Operand* operand) {
  for (int copies = 0; operand && copies < 4; ++copies) {
    if (operand->is(Kind::Symbol))
      return operand->symbol.kind == SymbolRef::Kind::ModuleVariable ? &module.variables[operand->symbol.index]
                                                                     : nullptr;
    if (!operand->is(Kind::Register)) return nullptr;
    auto writes = [&](const Instruction& inst) {
      return (inst.op == Op::mov || inst.op == Op::cvta) && inst.operands[0].is(Kind::Register) &&
             inst.operands[0].reg == operand->reg;
    };
    const auto at = std::find_if(function.instructions.begin(), function.instructions.end(), writes);
    operand = at == function.instructions.end() ? nullptr : &at->operands[1];
  }
  return nullptr;
}

std::optional<SignedType> type_of(const Module& module, const Variable& data) {
  for (const Relocation& pointer : data.relocations) {
    if (pointer.at != kTypeInData || pointer.symbol.kind != SymbolRef::Kind::ModuleVariable) continue;
    const auto& bytes = module.variables[pointer.symbol.index].initial;
    if (bytes.size() <= kNameInType) return std::nullopt;
    uint16_t info = 0;
    std::memcpy(&info, bytes.data() + kInfoInType, sizeof info);
    const char* name = reinterpret_cast<const char*>(bytes.data()) + kNameInType;
    std::string text(name, strnlen(name, bytes.size() - kNameInType));
    std::erase(text, '\'');
    return SignedType{std::move(text), 1u << (info >> 1 & 31)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<SignedOperation> overflow_told_by(std::string_view function) {
  for (const auto& [name, operation] : kHandlers)
    if (name == function) return operation;
  return std::nullopt;
}

std::optional<SignedOverflow> signed_overflow_at(const Module& module, const Function& function, size_t instruction) {
  const Instruction& call = function.instructions[instruction];
  if (call.op != Op::call || !call.operands[1].is(Kind::Symbol) ||
      call.operands[1].symbol.kind != SymbolRef::Kind::Function)
    return std::nullopt;
  const auto operation = overflow_told_by(module.functions[call.operands[1].symbol.index].name);
  if (!operation) return std::nullopt;
  SignedOverflow reported{*operation, std::nullopt};
  const std::vector<Operand>& arguments = call.operands[2].elements;
  if (arguments.empty() || !arguments[0].is(Kind::Symbol) ||
      arguments[0].symbol.kind != SymbolRef::Kind::FunctionVariable)
    return reported;
  if (const Variable* data =
          variable_named_by(module, function, stored_to(function, arguments[0].symbol.index, instruction)))
    reported.type = type_of(module, *data);
  return reported;
}

}  // namespace warpwise::ptx
