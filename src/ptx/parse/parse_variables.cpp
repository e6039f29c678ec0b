// Variables, parameters and initialisers (PTX ISA 5.2 to 5.5).
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "base/round_up.h"
#include "ptx/parse/parser_state.h"
#include "ptx/parse/suggest.h"

namespace warpwise::ptx {
namespace {

bool is_power_of_two(uint64_t n) { return n != 0 && (n & (n - 1)) == 0; }

}  // namespace

bool Parser::parse_vector_prefix(uint8_t& vector) {
  vector = 1;
  if (take(".v2"))
    vector = 2;
  else if (take(".v4"))
    vector = 4;
  else if (take(".v8"))
    vector = 8;
  return true;
}

bool Parser::parse_type(Type& type, std::string_view what) {
  if (token_.kind != Token::Kind::Dot) return expected(what);
  std::optional<Type> found = find_type(token_.text.substr(1));
  if (!found) {
    Diagnostic& d = error("P0105", token_.text, fmt::format("`{}` is not a type", token_.text));
    static constexpr std::string_view kTypes[] = {".b8",  ".b16", ".b32",   ".b64", ".b128", ".u8",
                                                  ".u16", ".u32", ".u64",   ".s8",  ".s16",  ".s32",
                                                  ".s64", ".f16", ".f16x2", ".f32", ".f64",  ".pred"};
    if (auto near = closest(token_.text, kTypes); !near.empty()) d.help = fmt::format("did you mean `{}`?", near);
    return false;
  }
  type = *found;
  advance();
  return true;
}

bool Parser::parse_align(uint32_t& align) {
  Span at = token_.text;
  uint64_t n = 0;
  if (!parse_unsigned(n, 1u << 20)) return false;
  if (!is_power_of_two(n)) return fail("P0105", at, "an alignment must be a power of two");
  align = static_cast<uint32_t>(n);
  return true;
}

// .attribute(.managed) and .attribute(.unified(uuid1, uuid2))
bool Parser::parse_attribute(bool& managed) {
  if (!expect('(', "after .attribute")) return false;
  do {
    if (take(".managed")) {
      managed = true;
    } else if (take(".unified")) {
      uint64_t unused = 0;
      if (!expect('(', "after .unified") || !parse_unsigned(unused, ~uint64_t{0} >> 1) ||
          !expect(',', "between the two halves") || !parse_unsigned(unused, ~uint64_t{0} >> 1) ||
          !expect(')', "after .unified"))
        return false;
    } else {
      return expected("`.managed` or `.unified`");
    }
  } while (take(','));
  return expect(')', "after the attributes");
}

bool Parser::parse_dimensions(std::vector<uint64_t>& dimensions, bool& unsized) {
  while (token_.is('[')) {
    advance();
    if (take(']')) {
      if (!dimensions.empty()) return fail("P0105", token_.text, "only the first dimension may be left open");
      unsized = true;
      dimensions.push_back(0);
      continue;
    }
    uint64_t n = 0;
    if (dimensions.size() >= 16) return fail("P0005", token_.text, "an array has at most 16 dimensions");
    if (!parse_unsigned(n, ParseLimits::kVariableBytes) || !expect(']', "after an array's length")) return false;
    dimensions.push_back(n);
  }
  return true;
}

bool Parser::parse_module_variable(Space space, Linkage linkage) {
  return parse_variable_list(space, linkage, module_.variables, true);
}

bool Parser::parse_local_variable(Space space, Linkage linkage) {
  return parse_variable_list(space, linkage, function_.variables, false);
}

// After the space: {.attribute(…)} {.align n} {.v4} .type name{[n]}{ = …}{, name …};
bool Parser::parse_variable_list(Space space, Linkage linkage, std::vector<Variable>& into, bool module_level) {
  Variable base;
  base.space = space;
  base.linkage = linkage;
  uint32_t align = 0;
  for (;;) {
    if (take(".align")) {
      if (!parse_align(align)) return false;
    } else if (take(".attribute")) {
      if (!parse_attribute(base.managed)) return false;
    } else {
      break;
    }
  }
  if (token_.kind == Token::Kind::Number) {  // .const[3]: banks of early PTX
    return fail("P0105", token_.text, "banked constants are not supported");
  }
  parse_vector_prefix(base.vector);
  if (!parse_type(base.type, "a type such as `.b32`")) return false;
  if (base.type == Type::Pred) return fail("P0105", token_.text, "predicates live in registers only");
  uint32_t element = std::max(1u, bytes_of(base.type)) * base.vector;
  do {
    Variable v = base;
    std::vector<uint64_t> dimensions;
    bool unsized = false;
    v.span = token_.text;
    if (!expect_word("a variable's name", v.name) || !parse_dimensions(dimensions, unsized)) return false;
    v.size = element;
    v.is_array = unsized || !dimensions.empty();
    for (uint64_t n : dimensions) {
      if (n != 0 && v.size > ParseLimits::kVariableBytes / n)
        return fail("P0005", v.span, fmt::format("`{}` is larger than {} bytes", v.name, ParseLimits::kVariableBytes));
      v.size *= n;
    }
    v.align = align ? align : (is_power_of_two(element) ? element : 1);
    if (take('=')) {
      if (kind_of(v.type) == TypeKind::Opaque && token_.is('{'))
        skip_braces();  // { addr_mode_0 = wrap }
      else if (!parse_initialiser(v, unsized)) {
        declare_variable(std::move(v), into, module_level);  // later uses of it are no errors
        return false;
      }
    } else if (unsized && linkage != Linkage::Extern && space != Space::Param) {
      error("P0105", v.span, fmt::format("`{}` has no size", v.name)).help =
          "give its length or an initialiser, or declare it `.extern`";
      return false;
    }
    if (!declare_variable(std::move(v), into, module_level)) return false;
  } while (take(','));
  return expect(';', "after a variable");
}

bool Parser::declare_variable(Variable&& v, std::vector<Variable>& into, bool module_level) {
  auto index = static_cast<uint32_t>(into.size());
  if (!module_level) {
    std::string_view earlier = scopes_->declare(v.name, {false, 0, {SymbolRef::Kind::FunctionVariable, index}});
    if (!earlier.empty()) {
      note_previous(error("P0103", v.span, fmt::format("`{}` is declared twice in this scope", v.name)), earlier);
      return true;  // the rest is correct
    }
    into.push_back(std::move(v));
    return true;
  }
  auto [at, fresh] = globals_.try_emplace(v.name, SymbolRef{SymbolRef::Kind::ModuleVariable, index});
  if (fresh) {
    global_places_[v.name] = v.span;
    into.push_back(std::move(v));
    return true;
  }
  // A definition completes an extern declaration; a second extern declaration adds nothing.
  bool variable = at->second.kind == SymbolRef::Kind::ModuleVariable;
  if (variable && v.linkage == Linkage::Extern) return true;
  if (variable && into[at->second.index].linkage == Linkage::Extern) {
    into[at->second.index] = std::move(v);
    return true;
  }
  note_previous(error("P0103", v.span, fmt::format("`{}` is declared twice", v.name)), global_places_[v.name]);
  return true;
}

// --- initialisers ---------------------------------------------------------------------------------

bool Parser::parse_initialiser(Variable& v, bool unsized) {
  uint64_t element = std::max(1u, bytes_of(v.type));
  Span at = token_.text;
  if (!unsized) {
    initialised_bytes_ += v.size;
    if (initialised_bytes_ > ParseLimits::kInitialisedBytes + 16 * source_->text().size())
      return fail("P0005", v.span, "this file initialises too many bytes");
    v.initial.resize(v.size);
  }
  uint64_t end = 0;
  uint64_t limit = unsized ? source_->text().size() * 16 : v.size;
  if (token_.is('{')) {
    if (!parse_initialiser_values(v, end, limit, 0)) return false;
  } else {
    if (limit < element) return fail("P0105", at, "a variable of no bytes takes no initialiser");
    if (v.initial.size() < element) v.initial.resize(element);
    if (!parse_initialiser_value(v, 0)) return false;
    end = element;
  }
  if (unsized) {
    v.size = round_up(end, element * v.vector);
    v.initial.resize(v.size);
  }
  return true;
}

// { 1, 2, { 3, 4 } }: inner braces group a row; values are written one after the other.
bool Parser::parse_initialiser_values(Variable& v, uint64_t& at, uint64_t limit, unsigned depth) {
  uint64_t element = std::max(1u, bytes_of(v.type));
  if (depth > 16) return fail("P0005", token_.text, "this initialiser is nested too deeply");
  advance();  // {
  if (take('}')) return true;
  do {
    if (token_.is('{')) {
      if (!parse_initialiser_values(v, at, limit, depth + 1)) return false;
      continue;
    }
    if (token_.is('}')) break;  // a comma before the brace
    if (at + element > limit)
      return fail("P0105", token_.text, fmt::format("`{}` has room for {} values only", v.name, v.size / element));
    if (v.initial.size() < at + element) v.initial.resize(std::max<uint64_t>(at + element, v.initial.size() * 2));
    if (!parse_initialiser_value(v, at)) return false;
    at += element;
  } while (take(','));
  return expect('}', "after the values");
}

// A number, symbol{+n}, generic(symbol){+n}, or mask(symbol) with mask = 0xFF << 8n.
bool Parser::parse_initialiser_value(Variable& v, uint64_t at) {
  if (token_.kind == Token::Kind::Word && !token_.is("WARP_SZ")) return parse_address_value(v, at, false, 0);
  Span place = token_.text;
  Constant value;
  // 0xFF00(symbol): a number directly before a parenthesis is a mask.
  if (token_.kind == Token::Kind::Number && lexer_.peek() == '(') {
    std::optional<Constant> mask = parse_number(token_.text);
    if (!mask || mask->is_float) return fail("P0105", place, "this is not a mask");
    advance();
    advance();
    return parse_address_value(v, at, true, mask->bits) && expect(')', "after a masked address");
  }
  if (!parse_expression(value)) return false;
  unsigned bytes = std::max(1u, bytes_of(v.type));
  uint64_t bits = value.bits;
  if (is_float(v.type)) {
    uint64_t f64 = value.is_float      ? value.bits
                   : value.is_unsigned ? std::bit_cast<uint64_t>(static_cast<double>(value.bits))
                                       : std::bit_cast<uint64_t>(static_cast<double>(static_cast<int64_t>(value.bits)));
    switch (v.type) {
      case Type::F64:
        bits = f64;
        break;
      case Type::F32:
        bits = value.exact_f32 ? value.float_bits : narrow_to_f32(f64);
        break;
      case Type::F16:
        bits = value.is_float ? narrow_to_f16(f64) : value.bits;
        break;
      case Type::BF16:
        bits = value.is_float ? narrow_to_bf16(f64) : value.bits;
        break;
      default:
        break;
    }
  } else if (value.is_float) {
    if (value.exact_f32 && bytes == 4)
      bits = value.float_bits;
    else if (bytes != 8)
      return fail("P0105", place, fmt::format("a floating-point value does not initialise `.{}`", name_of(v.type)));
  }
  if (bytes == 16) {
    uint64_t high = !value.is_unsigned && static_cast<int64_t>(bits) < 0 ? ~uint64_t{0} : 0;
    std::memcpy(v.initial.data() + at + 8, &high, 8);
    bytes = 8;
  }
  std::memcpy(v.initial.data() + at, &bits, bytes);
  return true;
}

bool Parser::parse_address_value(Variable& v, uint64_t at, bool masked, uint64_t mask) {
  Relocation r;
  r.at = at;
  std::string_view name;
  if (!expect_word("a symbol", name)) return false;
  if (name == "generic" && token_.is('(')) {
    r.generic = true;
    advance();
    if (!expect_word("a symbol", name)) return false;
    if ((token_.is('+') || token_.is('-')) && !parse_integer(r.addend)) return false;
    if (!expect(')', "after generic(")) return false;
  }
  if ((token_.is('+') || token_.is('-')) && !parse_integer(r.addend)) return false;
  auto found = globals_.find(name);
  // A variable may hold its own address.
  if (found != globals_.end())
    r.symbol = found->second;
  else if (name == v.name)
    r.symbol = {SymbolRef::Kind::ModuleVariable, static_cast<uint32_t>(module_.variables.size())};
  else
    return unknown_name(name);
  unsigned bytes = bytes_of(v.type);
  if (masked) {
    int shift = mask ? std::countr_zero(mask) : 0;
    if (mask == 0 || shift % 8 != 0 || mask >> shift != 0xff)
      return fail("P0105", name, "a mask selects one byte: 0xFF, 0xFF00, …");
    r.shift = static_cast<uint8_t>(shift);
    r.bytes = 1;
  } else if (bytes == 4 || bytes == 8) {
    r.bytes = static_cast<uint8_t>(bytes);
  } else {
    error("P0105", name, fmt::format("an address does not fit `.{}`", name_of(v.type))).help =
        "use `.u64`, or masks such as 0xFF(symbol) for bytes";
    return false;
  }
  v.relocations.push_back(r);
  return true;
}

// --- parameters -----------------------------------------------------------------------------------

// (.param .b64 a, .param .align 8 .b8 b[16]) or (.reg .b32 a); what `.func` and prototypes take.
bool Parser::parse_parameter_list(std::vector<Parameter>& into, bool declares_registers) {
  if (!expect('(', "before parameters")) return false;
  if (take(')')) return true;
  do {
    Parameter p;
    if (!parse_parameter(p)) return false;
    if (p.space == Space::Reg && declares_registers) {
      p.reg = static_cast<RegisterId>(function_.registers.size());
      function_.registers.push_back({p.name, p.type, 1});
    }
    into.push_back(p);
  } while (take(','));
  return expect(')', "after parameters");
}

bool Parser::parse_parameter(Parameter& p) {
  if (take(".param"))
    p.space = Space::Param;
  else if (take(".reg"))
    p.space = Space::Reg;
  else
    return expected("`.param` or `.reg`");
  uint32_t align = 0;
  uint8_t vector = 1;
  if (take(".align") && !parse_align(align)) return false;
  parse_vector_prefix(vector);
  if (!parse_type(p.type, "the parameter's type")) return false;
  if (take(".ptr")) {  // what the pointer points to: a promise of the compiler, which is not used here
    uint32_t pointee = 0;
    if (token_.is(".global") || token_.is(".shared") || token_.is(".const") || token_.is(".local")) advance();
    if (take(".align") && !parse_align(pointee)) return false;
  }
  if (take(".align") && !parse_align(align)) return false;
  p.span = token_.text;
  if (!expect_word("the parameter's name", p.name)) return false;
  std::vector<uint64_t> dimensions;
  bool unsized = false;
  if (!parse_dimensions(dimensions, unsized)) return false;
  uint64_t size = uint64_t{std::max(1u, bytes_of(p.type))} * vector;
  p.is_array = !dimensions.empty();
  p.align = align ? align : static_cast<uint32_t>(size);
  for (uint64_t n : dimensions) {
    if (n > (1u << 20) || (size *= n) > (1u << 20)) return fail("P0005", p.span, "a parameter has at most 1 MiB");
  }
  p.size = size;
  return true;
}

}  // namespace warpwise::ptx
