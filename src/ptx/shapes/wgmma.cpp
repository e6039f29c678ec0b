#include "ptx/shapes/wgmma.h"

#include <fmt/format.h>

#include <charconv>

namespace warpwise::ptx {

using numerics::Element;
using numerics::WgmmaForm;
using numerics::WgmmaSum;

namespace {

Element wgmma_element(Type type) {
  switch (type) {
    case Type::F16:
      return Element::F16;
    case Type::BF16:
      return Element::BF16;
    case Type::TF32:
      return Element::TF32;
    case Type::E4M3:
      return Element::E4M3;
    case Type::E5M2:
      return Element::E5M2;
    case Type::S8:
      return Element::S8;
    case Type::U8:
      return Element::U8;
    default:
      return Element::B1;
  }
}

// m64n128k16: 128
unsigned columns_of(const Instruction& i) {
  std::string_view shape = text_of(i.first_of(ModClass::Shape));
  unsigned n = 0;
  std::from_chars(shape.data() + 4, shape.data() + shape.size(), n);
  return n;
}

uint64_t constant(const Instruction& i, unsigned operand, uint64_t otherwise) {
  bool given = operand < i.operands.size() && i.operands[operand].is(Operand::Kind::Immediate);
  return given ? i.operands[operand].bits : otherwise;
}

}  // namespace

WgmmaForm wgmma_form(const Instruction& i) {
  WgmmaForm form;
  form.n = static_cast<uint16_t>(columns_of(i));
  form.d = i.type(0) == Type::F16 ? WgmmaSum::F16 : i.type(0) == Type::F32 ? WgmmaSum::F32 : WgmmaSum::S32;
  form.a = wgmma_element(i.type(1));
  form.b = wgmma_element(i.type(2));
  form.a_in_registers = i.operands[WgmmaOperand::kA].is(Operand::Kind::Vector);
  const WgmmaOperand at(i);
  form.negate_a = static_cast<int64_t>(constant(i, at.scale_a, 1)) < 0;
  form.negate_b = static_cast<int64_t>(constant(i, at.scale_b, 1)) < 0;
  form.transpose_a = constant(i, at.transpose_a, 0) != 0;
  form.transpose_b = constant(i, at.transpose_b, 0) != 0;
  form.saturate = i.has(Mod::SatFinite);
  form.sparse = i.has(Mod::Sp);
  form.selector = form.sparse ? static_cast<uint8_t>(constant(i, WgmmaOperand::kSelector, 0) & 3) : 0;
  return form;
}

std::string check_wgmma(const Instruction& i, const Function& function) {
  const WgmmaForm form = wgmma_form(i);
  const WgmmaOperand at(i);
  auto registers = [&](const Operand& list, unsigned count, bool floats) {
    if (!list.is(Operand::Kind::Vector) || list.elements.size() != count) return false;
    for (const Operand& o : list.elements) {
      if (!o.is(Operand::Kind::Register)) return false;
      const Type type = function.registers[o.reg].type;
      if (bits_of(type) != 32 || (type != Type::B32 && (type == Type::F32) != floats)) return false;
    }
    return true;
  };
  if (!registers(i.operands[WgmmaOperand::kD], form.d_words(), form.d == WgmmaSum::F32))
    return fmt::format("d is {} registers of 32 bits, .f32 or .b32 for a sum of that type", form.d_words());
  const Operand& a = i.operands[WgmmaOperand::kA];
  if (form.a_in_registers ? !registers(a, 4, false)
                          : !a.is(Operand::Kind::Register) || bits_of(function.registers[a.reg].type) != 64)
    return "a is 4 registers of 32 bits, or a descriptor of 64";
  const Operand& scale = i.operands[at.scale_d];
  if (!scale.is(Operand::Kind::Immediate) &&
      !(scale.is(Operand::Kind::Register) && function.registers[scale.reg].type == Type::Pred))
    return "scale-d is a predicate or a constant";
  for (unsigned operand : {at.scale_a, at.scale_b}) {
    const int64_t value = static_cast<int64_t>(constant(i, operand, 1));
    if (value != 1 && value != -1) return "a scale is 1 or -1";
  }
  for (unsigned operand : {at.transpose_a, at.transpose_b})
    if (constant(i, operand, 0) > 1) return "a transpose is 0 or 1";
  const bool has_transpose_a =
      at.transpose_a < i.operands.size() && !i.operands[at.transpose_a].is(Operand::Kind::None);
  if (form.sparse && i.operands[WgmmaOperand::kSelector].bits > (numerics::format_of(form.a).bits == 8 ? 0 : 1))
    return numerics::format_of(form.a).bits == 8 ? "all lanes supply metadata: the selector is 0"
                                                 : "the selector is 0 or 1";
  if (i.spec().operands.size() > at.transpose_a && has_transpose_a == form.a_in_registers)
    return "a from shared memory has a transpose, a from registers has none";
  if (form.d == WgmmaSum::S32 && form.n > 32 && form.n % 16 != 0)
    return fmt::format("integer products have no shape of {} columns", form.n);
  return "";
}

}  // namespace warpwise::ptx
