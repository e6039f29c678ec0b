#include "ptx/shapes/forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ptx/isa/match.h"

namespace warpwise::ptx {
namespace {

// A register of module_around() that holds a type.
std::string register_for(Type type, unsigned number) {
  switch (type) {
    case Type::Pred:
      return fmt::format("%p{}", number);
    case Type::F32:
      return fmt::format("%f{}", number);
    case Type::F64:
      return fmt::format("%fd{}", number);
    case Type::F16:
      return fmt::format("%h{}", number);
    case Type::F16x2:
      return fmt::format("%hh{}", number);
    default:
      break;
  }
  switch (bits_of(type)) {
    case 32:
      return fmt::format("%r{}", number);
    case 64:
      return fmt::format("%rd{}", number);
    case 128:
      return fmt::format("%q{}", number);
    default:
      return fmt::format("%rs{}", number);
  }
}

struct Shape {
  const Spec& row;
  const Mods& mods;

  Type type(unsigned index) const {
    for (Mod mod : mods)
      if (Type t = type_of(mod); t != Type::None && index-- == 0) return t;
    return Type::None;
  }
  Space space() const {
    for (Mod mod : mods)
      if (Space s = space_of(mod); s != Space::Generic) return s;
    return Space::Generic;
  }
  unsigned vector_length() const {
    for (Mod mod : mods) {
      if (mod == Mod::V2) return 2;
      if (mod == Mod::V4) return 4;
      if (mod == Mod::V8) return 8;
    }
    return 1;
  }
};

Type wide_of(Type type) { return bits_of(type) == 16 ? Type::B32 : Type::B64; }

std::string constant_for(const Shape& shape, const OperandSlot& slot) {
  if (slot.name == "size") return shape.row.opcode == "cp" ? "16" : "128";
  if (slot.name == "count") return "40";
  if (slot.name == "align") return "16";
  if (slot.name == "value") return "1";
  if (slot.name == "zero") return "0";
  return "3";
}

std::string vector_of(Type type, unsigned count, unsigned number) {
  std::string out = "{";
  for (unsigned i = 0; i < count; ++i) out += (i ? ", " : "") + register_for(type, (number + i) % 8);
  return out + "}";
}

std::string value_for(const Shape& shape, const OperandSlot& slot, unsigned number) {
  switch (slot.rule) {
    case TypeRule::Nth:
    case TypeRule::Mov:
      return register_for(shape.type(slot.index), number);
    case TypeRule::Fixed:
      if (slot.type == Type::B8) return fmt::format("%b{}", number);  // two e2m1: a register of 8 bits and no other
      return slot.name == "membermask" ? "-1" : register_for(slot.type, number);
    case TypeRule::Wide:
      return register_for(wide_of(shape.type(0)), number);
    case TypeRule::Address:
      return shape.type(0) == Type::U32 ? "%r1" : "%rd1";
    case TypeRule::Constant:
      return constant_for(shape, slot);
    case TypeRule::Any:
      return "";
    case TypeRule::Four:
      return vector_of(shape.type(slot.index), 4, number);
    case TypeRule::Memory:
      break;
  }
  unsigned n = shape.vector_length();
  return n == 1 ? register_for(shape.type(0), number) : vector_of(shape.type(0), n, number);
}

std::string address_for(const Shape& shape, const OperandSlot& slot) {
  if (slot.name == "taddr") return "[%r1]";  // of tensor memory
  if (shape.space() == Space::Param) return shape.row.name == "st_param" ? "[call_argument]" : "[parameter]";
  return "[%rd1]";
}

// [map, {a coordinate for each dimension}]; five numbers for four rows
std::string tensor_for(const Shape& shape) {
  std::string out = "[%rd1, {%r1";
  auto has = [&](Mod mod) { return std::find(shape.mods.begin(), shape.mods.end(), mod) != shape.mods.end(); };
  const bool four_rows = has(Mod::TileGather4) || has(Mod::TileScatter4);
  constexpr Mod kDimensions[] = {Mod::Geom1d, Mod::Geom2d, Mod::Geom3d, Mod::Geom4d, Mod::Geom5d};
  for (unsigned n = 0; n < std::size(kDimensions); ++n) {
    if (n > 0) out += fmt::format(", %r{}", n + 1);
    if (!four_rows && has(kDimensions[n])) break;
  }
  return out + "}]";
}

std::string operand_for(const Shape& shape, const OperandSlot& slot, unsigned number) {
  switch (slot.form) {
    case OperandForm::Address:
      return slot.name == "t" ? tensor_for(shape) : address_for(shape, slot);
    case OperandForm::Label:
      return "L";
    case OperandForm::Targets:
      return "list";
    case OperandForm::Callee:
      return "callee";
    case OperandForm::List:
      return slot.name == "rets" ? "(call_result)" : "(call_argument)";
    case OperandForm::Prototype:
    case OperandForm::Rest:
      return "";
    case OperandForm::Value:
      break;
  }
  std::string out = value_for(shape, slot, number);
  if (slot.pair) out += "|%p2";
  return out;
}

std::string text_of_form(const Spec& row, const Mods& mods, bool with_optional) {
  Shape shape{row, mods};
  std::string out(row.opcode);
  for (Mod mod : mods)
    if (mod != Mod::None) out += fmt::format(".{}", text_of(mod));
  unsigned number = 1;
  bool first = true;
  for (const OperandSlot& slot : row.operands) {
    bool present = slot.only_with >= 0 ? mods[slot.only_with] != Mod::None : !slot.optional || with_optional;
    if (!present) continue;
    std::string operand = operand_for(shape, slot, number++);
    if (operand.empty()) continue;
    out += (first ? " " : ", ") + operand;
    first = false;
  }
  return out + ";";
}

// All assignments of the type slots; other modifiers as in `mods`.
void for_all_types(const Spec& row, size_t slot, Mods& mods, const auto& visit) {
  if (slot == row.mods.size()) {
    visit(mods);
    return;
  }
  const ModSlot& s = row.mods[slot];
  if (s.cls != ModClass::Type || s.allowed.size() < 2) {
    for_all_types(row, slot + 1, mods, visit);
    return;
  }
  for (Mod mod : s.allowed) {
    mods[slot] = mod;
    for_all_types(row, slot + 1, mods, visit);
  }
  mods[slot] = s.allowed[0];
}

}  // namespace

std::vector<Form> forms_of(Op op) {
  const Spec& row = spec_of(op);
  for (const OperandSlot& slot : row.operands)
    if (slot.form == OperandForm::Rest || slot.rule == TypeRule::Any) return {};
  for (const ModSlot& slot : row.mods)
    if (slot.rest) return {};
  std::set<std::string> texts;
  bool optional_operand = false;
  for (const OperandSlot& slot : row.operands)
    optional_operand = optional_operand || (slot.optional && slot.only_with < 0);
  auto visit = [&](const Mods& mods) {
    texts.insert(text_of_form(row, mods, false));
    if (optional_operand) texts.insert(text_of_form(row, mods, true));
  };
  Mods least{};
  for (size_t i = 0; i < row.mods.size(); ++i)
    if (!row.mods[i].optional) least[i] = row.mods[i].allowed[0];
  Mods mods = least;
  for_all_types(row, 0, mods, visit);
  for (size_t i = 0; i < row.mods.size(); ++i) {
    if (row.mods[i].tied) continue;
    for (Mod mod : row.mods[i].allowed) {
      mods = least;
      mods[i] = mod;
      for (size_t n = i + 1; n < row.mods.size() && row.mods[n].tied; ++n) mods[n] = row.mods[n].allowed[0];
      // A memory order requires a scope (PTX ISA 8.4); .scope alone means .relaxed.
      int scope = row.slot("scope");
      if (row.mods[i].name == "sem" && scope >= 0 && mods[scope] == Mod::None) mods[scope] = Mod::Gpu;
      if (row.mods[i].name == "scope" && row.opcode == "mbarrier" && mods[i - 1] == Mod::None)
        mods[i - 1] = row.mods[i - 1].allowed[0];
      visit(mods);
    }
  }
  std::vector<Form> out;
  for (const std::string& text : texts) out.push_back({op, text});
  return out;
}

std::string module_around(std::string_view body, unsigned ptx_version, std::string_view target) {
  return fmt::format(
      ".version {}.{}\n.target {}\n.address_size 64\n"
      ".func (.param .b32 result) callee(.param .align 16 .b8 argument[16])\n{{\n  ret;\n}}\n"
      ".visible .entry kernel(.param .align 16 .b8 parameter[64])\n{{\n"
      "  .reg .pred %p<9>;\n  .reg .b8 %b<9>;\n  .reg .b16 %rs<9>;\n  .reg .b32 %r<9>;\n  .reg .b64 %rd<9>;\n{}"
      "  .reg .f16 %h<9>;\n  .reg .f16x2 %hh<9>;\n  .reg .f32 %f<9>;\n  .reg .f64 %fd<9>;\n"
      "  .param .align 16 .b8 call_argument[16];\n  .param .b32 call_result;\n"
      "list: .branchtargets L, M;\n"
      "{}L:\nM:\n  ret;\n}}\n",
      ptx_version / 10, ptx_version % 10, target, ptx_version >= 83 ? "  .reg .b128 %q<9>;\n" : "", body);
}

}  // namespace warpwise::ptx
