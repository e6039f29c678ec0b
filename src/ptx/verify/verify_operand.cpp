// Operands against slots: kinds, and types by the tables of PTX ISA 9.4 and 9.4.1.
#include "ptx/verify/verify_operand.h"

#include <fmt/format.h>

namespace warpwise::ptx {
namespace {

using Kind = Operand::Kind;

std::string_view kind_text(Kind kind) {
  switch (kind) {
    case Kind::None:
      return "nothing";
    case Kind::Register:
      return "a register";
    case Kind::Immediate:
      return "a constant";
    case Kind::Special:
      return "a special register";
    case Kind::Symbol:
      return "a symbol";
    case Kind::Address:
      return "an address";
    case Kind::Vector:
      return "a vector";
    case Kind::Sink:
      return "`_`";
    case Kind::Pair:
      return "a pair";
    case Kind::List:
      return "a list";
    case Kind::String:
      return "a string";
  }
  return "an operand";
}

// Whether a register of type `reg` fits an instruction on `type`.
bool agrees(Type type, Type reg, bool wider) {
  if (type == Type::Pred || reg == Type::Pred) return type == reg;
  unsigned want = bits_of(type), have = bits_of(reg);
  TypeKind t = kind_of(type), r = kind_of(reg);
  if (have == want) {
    if (t == TypeKind::Bits || r == TypeKind::Bits || type == reg) return true;
    bool integers =
        (t == TypeKind::Signed || t == TypeKind::Unsigned) && (r == TypeKind::Signed || r == TypeKind::Unsigned);
    bool packed_integers = type == Type::U16x2 || type == Type::S16x2;
    return integers || (packed_integers && r != TypeKind::Float);
  }
  // There are no registers of 8-bit types for these; wider registers hold such values everywhere.
  if (have < want || !(wider || want < 16)) return false;
  if (t == TypeKind::Bits) return true;
  if (t == TypeKind::Float || t == TypeKind::Packed) return r == TypeKind::Bits;
  return r == TypeKind::Bits || r == TypeKind::Signed || r == TypeKind::Unsigned;
}

Type wide_of(Type type) {
  switch (type) {
    case Type::U16:
      return Type::U32;
    case Type::S16:
      return Type::S32;
    case Type::U32:
      return Type::U64;
    case Type::S32:
      return Type::S64;
    default:
      return type;
  }
}

class OperandVerifier {
 public:
  OperandVerifier(OperandContext& context, const Instruction& instruction, const OperandSlot& slot)
      : context_(context), i_(instruction), slot_(slot) {}

  bool verify(const Operand& o) {
    switch (slot_.form) {
      case OperandForm::Address:
        return o.is(Kind::Address) ? verify_address(o) : wrong(o, "an address in brackets");
      case OperandForm::Label:
        return verify_label(o, false);
      case OperandForm::Targets:
        return verify_label(o, true);
      case OperandForm::Value:
        break;
      default:
        return true;
    }
    if (slot_.rule == TypeRule::Any) return true;
    if (o.is(Kind::Pair)) {
      if (!slot_.pair) return wrong(o, "one operand");
      return (o.elements[0].is(Kind::Sink) ? allow_sink(o.elements[0], true) : verify_value(o.elements[0])) &&
             (o.elements[1].is(Kind::Sink) || verify_written(o.elements[1], Type::Pred));
    }
    if (slot_.pair && !slot_.pair_optional) return wrong(o, "a pair `d|p`");
    return verify_value(o);
  }

 private:
  bool fail(std::string code, const Operand& o, std::string message) {
    context_.error(std::move(code), o.span.empty() ? i_.span : o.span, std::move(message));
    return false;
  }
  bool wrong(const Operand& o, std::string_view wanted) {
    return fail("P0205", o,
                fmt::format("`{}` needs {} as `{}`, not {}", opcode_text(i_), wanted, slot_.name, kind_text(o.kind)));
  }

  Type type() const {
    switch (slot_.rule) {
      case TypeRule::Nth:
      case TypeRule::Memory:
      case TypeRule::Mov:
      case TypeRule::Four:
        return i_.type(slot_.index);
      case TypeRule::Wide:
        return wide_of(i_.type(0));
      case TypeRule::Fixed:
        return slot_.type;
      default:
        return Type::None;
    }
  }

  bool verify_address(const Operand& o) {
    if (o.base != Operand::Base::Register) return true;
    const Register& reg = context_.function.registers[o.reg];
    TypeKind kind = kind_of(reg.type);
    bool integer = kind == TypeKind::Bits || kind == TypeKind::Signed || kind == TypeKind::Unsigned;
    if (!integer || bits_of(reg.type) > 64)
      return fail("P0206", o, fmt::format("`{}` is .{}; an address is an integer or .bN", reg.name, name_of(reg.type)));
    return true;
  }

  bool verify_label(const Operand& o, bool list) {
    const Label& label = context_.function.labels[o.symbol.index];
    if (list == label.targets.empty())
      return fail("P0205", o,
                  list ? fmt::format("`{}` is a label; brx.idx takes a `.branchtargets` list", label.name)
                       : fmt::format("`{}` is a list of targets; bra takes a label", label.name));
    return true;
  }

  // `_` where the manual allows a result to be dropped: that of atom, and the first of the pairs of lop3, setp and
  // elect.
  bool allow_sink(const Operand& o, bool in_pair) {
    std::string_view opcode = i_.spec().opcode;
    if (opcode == "atom" || opcode == "mbarrier" ||
        (in_pair && (opcode == "lop3" || opcode == "setp" || opcode == "elect")))
      return true;
    return fail("P0205", o, fmt::format("`{}` does not let its result be dropped", opcode_text(i_)));
  }

  bool verify_value(const Operand& o) {
    if (o.negated &&
        !(slot_.negatable && o.is(Kind::Register) && context_.function.registers[o.reg].type == Type::Pred))
      return fail("P0205", o,
                  slot_.negatable ? "only a predicate is negated with `!`"
                                  : fmt::format("`{}` cannot be negated here", slot_.name));
    if (!o.selector.empty() && !slot_.selector)
      return fail("P0205", o, fmt::format("`{}` takes no selector here", opcode_text(i_)));
    if (!o.selector.empty() && !verify_selector(o)) return false;
    if (slot_.rule == TypeRule::Constant)
      return o.is(Kind::Immediate) && !o.is_float ? true : wrong(o, "an integer constant");
    if (slot_.rule == TypeRule::Address) return verify_address_value(o);
    if (slot_.written && o.is(Kind::Sink)) return allow_sink(o, false);
    bool vector = slot_.rule == TypeRule::Memory && i_.first_of(ModClass::Vector) != Mod::None;
    if (vector) return verify_vector(o);
    if (slot_.rule == TypeRule::Mov && o.is(Kind::Vector)) return verify_packed(o);
    if (slot_.rule == TypeRule::Four) return verify_four(o);
    if (slot_.written) return verify_written(o, type());
    switch (o.kind) {
      case Kind::Register:
      case Kind::Immediate:
        return verify_type(context_, i_, o, type(), slot_.wider);
      case Kind::Special:
        return verify_special(o);
      case Kind::Symbol:
        return slot_.rule == TypeRule::Mov ? verify_symbol(o) : wrong(o, "a register or constant");
      default:
        return wrong(o, "a register or constant");
    }
  }

  bool verify_written(const Operand& o, Type type) {
    if (!o.is(Kind::Register)) return wrong(o, "a register");
    return verify_type(context_, i_, o, type, slot_.wider);
  }

  // 9.7.17: b0…b3 and h0, h1; the SIMD forms take a mask of lanes on d and one source lane per lane on a and b.
  bool verify_selector(const Operand& o) {
    std::string_view opcode = i_.spec().opcode, digits = o.selector.substr(1);
    char letter = o.selector[0];
    bool simd2 = opcode.ends_with('2'), simd4 = opcode.ends_with('4'), mask = slot_.written, ok = true;
    if (!simd2 && !simd4) {
      ok = digits.size() == 1 && digits[0] < (letter == 'b' ? '4' : '2');
    } else {
      char lanes = simd2 ? 2 : 4;
      ok = letter == (simd2 ? 'h' : 'b') &&
           (mask ? digits.size() <= static_cast<size_t>(lanes) : digits.size() == static_cast<size_t>(lanes));
      for (size_t n = 0; ok && n < digits.size(); ++n) {
        ok = digits[n] < '0' + (mask ? lanes : 2 * lanes);
        if (mask && n > 0) ok = ok && digits[n] < digits[n - 1];  // .h10, .b310: from the highest down
      }
    }
    return ok || fail("P0205", o, fmt::format("`.{}` is not a selector of `{}` here", o.selector, opcode));
  }

  // Any register that can hold an address, or a variable in the instruction's space.
  bool verify_address_value(const Operand& o) {
    if (o.is(Kind::Register)) {
      Type reg = context_.function.registers[o.reg].type;
      Type want = i_.type(0);
      if (want != Type::None && i_.spec().opcode != "getctarank") return verify_type(context_, i_, o, want, false);
      TypeKind kind = kind_of(reg);
      bool fits = (bits_of(reg) == 32 || bits_of(reg) == 64) && kind != TypeKind::Float && kind != TypeKind::Packed;
      return fits || fail("P0206", o, fmt::format("`{}` is .{}; an address is a 64-bit integer", o.span, name_of(reg)));
    }
    if (!o.is(Kind::Symbol)) return wrong(o, "a register or a variable");
    Space home = context_.space_of(o.symbol);
    if (home == Space::Generic) return fail("P0205", o, fmt::format("`{}` is not a variable", o.span));
    if (i_.spec().opcode == "cvta" && home != i_.space())
      return fail("P0207", o, fmt::format("`{}` is in .{}, not in .{}", o.span, name_of(home), name_of(i_.space())));
    return true;
  }

  // {a, b}, or a register of vector type, as wide as .v2 or .v4 says.
  bool verify_vector(const Operand& o) {
    unsigned length = i_.vector_length();
    if (o.is(Kind::Register)) {
      const Register& reg = context_.function.registers[o.reg];
      if (reg.vector == length && o.component == Operand::kWhole && agrees(i_.type(0), reg.type, true)) return true;
      return fail("P0210", o, fmt::format("`{}` needs {} elements in braces", opcode_text(i_), length));
    }
    if (!o.is(Kind::Vector)) return wrong(o, "a vector");
    if (o.elements.size() != length)
      return fail("P0210", o,
                  fmt::format("`{}` needs {} elements, {} are given", opcode_text(i_), length, o.elements.size()));
    for (const Operand& e : o.elements) {
      if (e.is(Kind::Sink) && slot_.written) continue;
      if (e.negated || !e.selector.empty() || !(e.is(Kind::Register) || (e.is(Kind::Immediate) && !slot_.written)))
        return fail(
            "P0205", e,
            fmt::format("an element of a vector is a register{}", slot_.written ? " or `_`" : " or a constant"));
      if (!verify_type(context_, i_, e, i_.type(0), true)) return false;
    }
    return true;
  }

  // {a, b, e, f}: registers only.
  bool verify_four(const Operand& o) {
    if (!o.is(Kind::Vector) || o.elements.size() != 4)
      return fail("P0210", o, fmt::format("`{}` needs four elements in braces", opcode_text(i_)));
    for (const Operand& e : o.elements) {
      if (!e.is(Kind::Register) || e.negated || !e.selector.empty())
        return fail("P0205", e, "an element of a vector is a register");
      if (!verify_type(context_, i_, e, type(), false)) return false;
    }
    return true;
  }

  // mov.b64 {%r1, %r2}, %rd1: equal elements that fill the type (9.7.9.3).
  bool verify_packed(const Operand& o) {
    Type whole = i_.type(0);
    size_t n = o.elements.size();
    if (kind_of(whole) != TypeKind::Bits || n < 2 || n > 4 || bits_of(whole) % n != 0)
      return fail("P0210", o, fmt::format("`{}` does not pack {} elements", opcode_text(i_), n));
    unsigned bits = bits_of(whole) / static_cast<unsigned>(n);
    for (const Operand& e : o.elements) {
      if (e.is(Kind::Sink) && slot_.written) continue;
      if (e.is(Kind::Immediate) && !slot_.written) continue;
      if (!e.is(Kind::Register) || e.negated || !e.selector.empty())
        return fail("P0205", e, "an element of a vector is a register");
      const Register& reg = context_.function.registers[e.reg];
      if (bits_of(reg.type) != bits || reg.type == Type::Pred)
        return fail("P0206", e,
                    fmt::format("`{}` has {} bits, an element of `{}` has {}", reg.name, bits_of(reg.type),
                                opcode_text(i_), bits));
    }
    return true;
  }

  // mov and cvt read special registers, at their own size; coordinates as .u16 too (10).
  bool verify_special(const Operand& o) {
    const SpecialRegisterInfo& info = info_of(o.special);
    if (slot_.rule != TypeRule::Mov && i_.spec().opcode != "cvt")
      return fail("P0205", o, fmt::format("`{}` cannot read a special register", opcode_text(i_)));
    if (o.component == Operand::kWhole)
      return fail("P0205", o, fmt::format("name a component of `{}`: .x, .y or .z", info.name));
    if (context_.module.version < info.ptx_version || context_.module.sm < info.sm)
      return fail("P0208", o,
                  fmt::format("`{}` needs `.version {}.{}` and sm_{}", info.name, info.ptx_version / 10,
                              info.ptx_version % 10, info.sm));
    Type want = type();
    bool narrow = info.components == 4 && bits_of(want) == 16;
    bool gridid = o.special == SpecialRegister::GridId && bits_of(want) == 32;
    if (kind_of(want) == TypeKind::Float || (want == Type::Pred) != (info.type == Type::Pred) ||
        (bits_of(want) != bits_of(info.type) && !narrow && !gridid))
      return fail(
          "P0206", o,
          fmt::format("`{}` is .{}, `{}` reads .{}", info.name, name_of(info.type), opcode_text(i_), name_of(want)));
    return true;
  }

  // The address of a variable or function. Shared, local and parameter addresses fit 32 bits.
  bool verify_symbol(const Operand& o) {
    Type want = type();
    Space home = context_.space_of(o.symbol);
    bool function = o.symbol.kind == SymbolRef::Kind::Function;
    bool small = home == Space::Shared || home == Space::Local || home == Space::Param;
    if (!function && home == Space::Generic)
      return fail("P0205", o, fmt::format("`{}` is not a variable or function", o.span));
    if (kind_of(want) == TypeKind::Float || !(bits_of(want) == 64 || (small && bits_of(want) == 32)))
      return fail("P0206", o, fmt::format("`{}` does not hold an address; use .u64", opcode_text(i_)));
    return true;
  }

  OperandContext& context_;
  const Instruction& i_;
  const OperandSlot& slot_;
};

bool constant_agrees(const Operand& o, Type type) {
  switch (kind_of(type)) {
    case TypeKind::Predicate:
    case TypeKind::Signed:
    case TypeKind::Unsigned:
      return !o.is_float;
    case TypeKind::Bits:
      return !o.is_float || (bits_of(type) == 32 && o.exact_f32) || (bits_of(type) == 64 && !o.exact_f32);
    case TypeKind::Float:
      return o.is_float && bits_of(type) >= 32;
    default:
      return type == Type::U16x2 || type == Type::S16x2 ? !o.is_float : false;
  }
}

}  // namespace

Diagnostic& OperandContext::error(std::string code, Span at, std::string message) {
  return diagnostics.error(std::move(code), {module.source, at, ""}, std::move(message));
}

Space OperandContext::space_of(const SymbolRef& symbol) const {
  switch (symbol.kind) {
    case SymbolRef::Kind::ModuleVariable:
      return module.variables[symbol.index].space;
    case SymbolRef::Kind::FunctionVariable:
      return function.variables[symbol.index].space;
    case SymbolRef::Kind::Parameter:
      return function.parameters[symbol.index].space;
    case SymbolRef::Kind::ReturnParameter:
      return function.returns[symbol.index].space;
    default:
      return Space::Generic;
  }
}

uint64_t OperandContext::size_of(const SymbolRef& symbol) const {
  switch (symbol.kind) {
    case SymbolRef::Kind::ModuleVariable:
      return module.variables[symbol.index].size;
    case SymbolRef::Kind::FunctionVariable:
      return function.variables[symbol.index].size;
    case SymbolRef::Kind::Parameter:
      return function.parameters[symbol.index].size;
    case SymbolRef::Kind::ReturnParameter:
      return function.returns[symbol.index].size;
    default:
      return 0;
  }
}

bool verify_type(OperandContext& context, const Instruction& instruction, const Operand& o, Type type, bool wider) {
  if (o.is(Kind::Immediate)) {
    if (constant_agrees(o, type)) return true;
    Diagnostic& d = context.error("P0206", o.span.empty() ? instruction.span : o.span,
                                  fmt::format("`{}` works on .{}; this constant is {}", opcode_text(instruction),
                                              name_of(type), o.is_float ? "a floating-point one" : "an integer"));
    if (kind_of(type) == TypeKind::Float && bits_of(type) < 32)
      d.help = "move the constant's bits to a register first: mov.b16";
    else if (kind_of(type) == TypeKind::Packed)
      d.help = "move the constant's bits to a register first: mov.b32";
    else if (is_float(type))
      d.help = "write 0f3F800000 or 1.0 for one";
    return false;
  }
  const Register& reg = context.function.registers[o.reg];
  bool whole_vector = reg.vector > 1 && o.component == Operand::kWhole;
  if (!whole_vector && agrees(type, reg.type, wider)) return true;
  Diagnostic& d =
      context.error("P0206", o.span.empty() ? instruction.span : o.span,
                    whole_vector ? fmt::format("`{}` is a vector; name a component", reg.name)
                                 : fmt::format("`{}` is .{}, `{}` needs .{}{} here", reg.name, name_of(reg.type),
                                               opcode_text(instruction), name_of(type), wider ? " or wider" : ""));
  if (!whole_vector && bits_of(reg.type) == bits_of(type) && type != Type::Pred && reg.type != Type::Pred)
    d.help = fmt::format("move the bits over with mov.b{}", bits_of(type));
  return false;
}

bool verify_operand(OperandContext& context, const Instruction& instruction, size_t index) {
  const OperandSlot& slot = instruction.spec().operands[index];
  const Operand& operand = instruction.operands[index];
  if (operand.is(Operand::Kind::None)) return slot.optional;
  return OperandVerifier(context, instruction, slot).verify(operand);
}

}  // namespace warpwise::ptx
