// Operands, as the text writes them. Which kinds and types an instruction requires is checked later, against its row:
// here `[%rd1+8]` is an address wherever it stands.
#include <fmt/format.h>

#include "ptx/parse/parser_state.h"
#include "ptx/parse/suggest.h"

namespace warpwise::ptx {
namespace {

// .x .y .z .w, or .r .g .b .a
int component_of(std::string_view suffix) {
  if (suffix.size() != 2) return -1;
  size_t at = std::string_view("xyzwrgba").find(suffix[1]);
  return at == std::string_view::npos ? -1 : static_cast<int>(at % 4);
}

// .b0 .h1 .b3210: a letter and digits.
bool is_selector(std::string_view suffix) {
  if (suffix.size() < 3 || suffix.size() > 6 || (suffix[1] != 'b' && suffix[1] != 'h')) return false;
  for (char c : suffix.substr(2))
    if (c < '0' || c > '7') return false;
  return true;
}

}  // namespace

Span Parser::span_from(const char* begin) const { return {begin, static_cast<size_t>(last_end_ - begin)}; }

// What a name means: the nearest scope first, then the module.
std::optional<Meaning> Parser::find_name(std::string_view name) {
  if (scopes_)
    if (std::optional<Meaning> found = scopes_->find(name)) return found;
  auto global = globals_.find(name);
  if (global == globals_.end()) return std::nullopt;
  return Meaning{false, 0, global->second};
}

bool Parser::unknown_name(std::string_view name) {
  if (!reported_names_.insert(name).second) {
    // Reported once per function; the statement is skipped in any case, and counted.
    return false;
  }
  Diagnostic& d = error("P0104", name, fmt::format("`{}` is not declared", name));
  std::vector<std::string_view> names = scopes_ ? scopes_->names() : std::vector<std::string_view>{};
  for (const auto& [global, symbol] : globals_) names.push_back(global);
  for (unsigned i = 1; i <= static_cast<unsigned>(SpecialRegister::Clock64); ++i)
    names.push_back(info_of(static_cast<SpecialRegister>(i)).name);
  constexpr size_t kManyNames = 5000;  // more comparisons are not worth a suggestion
  if (names.size() > kManyNames) return false;
  if (auto near = closest(name, names); !near.empty())
    d.help = fmt::format("did you mean `{}`?", near);
  else if (name.starts_with('%'))
    d.help = "declare it with `.reg`";
  return false;
}

bool Parser::resolve(std::string_view name, Operand& out) {
  std::optional<Meaning> meaning = find_name(name);
  if (!meaning) return unknown_name(name);
  if (meaning->is_register) {
    out.kind = Operand::Kind::Register;
    out.reg = meaning->reg;
    out.component = function_.registers[out.reg].vector > 1 ? Operand::kWhole : 0;
  } else {
    out.kind = Operand::Kind::Symbol;
    out.symbol = meaning->symbol;
  }
  return true;
}

// An operand, or a pair `d|p` of them.
bool Parser::parse_operand(Operand& out) {
  const char* begin = token_.text.data();
  if (!parse_simple_operand(out)) return false;
  if (token_.is('|')) {
    advance();
    Operand pair, second;
    if (!parse_simple_operand(second)) return false;
    pair.kind = Operand::Kind::Pair;
    pair.elements.reserve(2);
    pair.elements.push_back(std::move(out));
    pair.elements.push_back(std::move(second));
    out = std::move(pair);
  }
  out.span = span_from(begin);
  return true;
}

// Whether a name and not a number follows the sign.
bool Parser::names_follow() { return lexer_.peek() == '%' || lexer_.peek() == '_' || lexer_.peek() > '9'; }

bool Parser::parse_simple_operand(Operand& out) {
  const char* begin = token_.text.data();
  bool ok = true;
  if (token_.kind == Token::Kind::Word && !token_.is("WARP_SZ")) {
    ok = parse_named_operand(out);
  } else if (token_.is('[')) {
    ok = parse_address(out);
  } else if (token_.is('{')) {
    ok = parse_list(out, Operand::Kind::Vector, '}');
  } else if (token_.is('!') && (lexer_.peek() == '%' || !starts_expression())) {
    advance();
    ok = parse_named_operand(out);
    out.negated = true;
  } else if (token_.is('!') && lexer_.peek() > '9') {  // !p, a predicate without `%`
    advance();
    ok = parse_named_operand(out);
    out.negated = true;
  } else if (starts_expression()) {
    if (token_.is('-') && names_follow())
      return fail("P0205", token_.text, "an operand cannot be negated here; use `neg` first");
    Constant value;
    ok = parse_expression(value);
    out.kind = Operand::Kind::Immediate;
    out.bits = value.bits;
    out.float_bits = value.float_bits;
    out.is_float = value.is_float;
    out.exact_f32 = value.exact_f32;
  } else {
    ok = expected("an operand");
  }
  out.span = span_from(begin);
  return ok;
}

// A register, special register, symbol or sink, with its optional suffix.
bool Parser::parse_named_operand(Operand& out) {
  std::string_view name;
  if (!expect_word("a name", name)) return false;
  if (name == "_") {
    out.kind = Operand::Kind::Sink;
    return true;
  }
  if (name[0] == '%') {
    std::optional<Meaning> meaning = find_name(name);
    if (meaning && meaning->is_register) {
      out.kind = Operand::Kind::Register;
      out.reg = meaning->reg;
      out.component = function_.registers[out.reg].vector > 1 ? Operand::kWhole : 0;
      return token_.kind != Token::Kind::Dot || parse_register_suffix(out);
    }
    SpecialRegister special = find_special_register(name);
    if (special == SpecialRegister::None) return unknown_name(name);
    out.kind = Operand::Kind::Special;
    out.special = special;
    out.component = info_of(special).components == 1 ? 0 : Operand::kWhole;
    if (token_.kind == Token::Kind::Dot) {
      int component = component_of(token_.text);
      if (component < 0 || info_of(special).components == 1)
        return fail("P0205", token_.text, fmt::format("`{}` has no component `{}`", name, token_.text));
      out.component = static_cast<uint8_t>(component);
      advance();
    }
    return true;
  }
  if (!resolve(name, out)) return false;
  if (out.kind == Operand::Kind::Register) return token_.kind != Token::Kind::Dot || parse_register_suffix(out);
  if (token_.is('[')) return parse_index(name, out);
  if (token_.is('+') || token_.is('-')) return parse_offset(out.offset);
  return true;
}

// words[2]: the address of an element (PTX ISA 6.4.2). The manual leaves open what an index counts. ptxas 13.0 counts
// elements of the declared type: a vector or a row is not one, and `[]` without a length counts bytes.
bool Parser::parse_index(std::string_view name, Operand& out) {
  uint64_t element = 0;  // bytes; 0: not an array
  auto measure = [&](const auto& declared) {
    if (declared.is_array) element = declared.size ? std::max(1u, bytes_of(declared.type)) : 1;
  };
  switch (out.symbol.kind) {
    case SymbolRef::Kind::ModuleVariable:
      measure(module_.variables[out.symbol.index]);
      break;
    case SymbolRef::Kind::FunctionVariable:
      measure(function_.variables[out.symbol.index]);
      break;
    case SymbolRef::Kind::Parameter:
      measure(function_.parameters[out.symbol.index]);
      break;
    case SymbolRef::Kind::ReturnParameter:
      measure(function_.returns[out.symbol.index]);
      break;
    default:
      break;
  }
  if (element == 0) return fail("P0205", name, "only an array has elements");
  advance();  // [
  if (token_.kind == Token::Kind::Word && !token_.is("WARP_SZ")) {
    error("P0900", token_.text, "an element whose index is in a register is recognised but not supported yet").help =
        "compute the address in a register";
    return false;
  }
  int64_t index = 0;
  if (!parse_integer(index)) return false;
  out.offset = static_cast<int64_t>(static_cast<uint64_t>(index) * element);
  out.indexed = true;
  return expect(']', "after an index");
}

bool Parser::parse_register_suffix(Operand& out) {
  const Register& reg = function_.registers[out.reg];
  int component = component_of(token_.text);
  if (component >= 0 && reg.vector > 1) {
    if (component >= reg.vector)
      return fail("P0205", token_.text, fmt::format("`{}` has {} components only", reg.name, reg.vector));
    out.component = static_cast<uint8_t>(component);
  } else if (is_selector(token_.text)) {
    out.selector = token_.text.substr(1);
  } else {
    return fail("P0205", token_.text, fmt::format("`{}` has no part `{}`", reg.name, token_.text));
  }
  advance();
  return true;
}

// +8, -8, +-8
bool Parser::parse_offset(int64_t& offset) {
  bool minus = token_.is('-');
  advance();
  int64_t value = 0;
  if (token_.kind == Token::Kind::Word && !token_.is("WARP_SZ")) {
    error("P0205", token_.text, "an address is a register or symbol plus a constant").help =
        "add registers with `add` first";
    return false;
  }
  if (!parse_integer(value)) return false;
  offset = minus ? static_cast<int64_t>(0 - static_cast<uint64_t>(value)) : value;
  return true;
}

// [%rd1+8], [symbol], [16], [texture, {x, y}]
bool Parser::parse_address(Operand& out) {
  advance();  // [
  out.kind = Operand::Kind::Address;
  if (token_.kind == Token::Kind::Word && !token_.is("WARP_SZ")) {
    Operand base;
    std::string_view name;
    expect_word("a name", name);
    if (!resolve(name, base)) return false;
    if (base.kind == Operand::Kind::Register) {
      out.base = Operand::Base::Register;
      out.reg = base.reg;
      if (token_.kind == Token::Kind::Dot && !parse_register_suffix(base)) return false;
      out.component = base.component;
    } else {
      out.base = Operand::Base::Symbol;
      out.symbol = base.symbol;
    }
    if ((token_.is('+') || token_.is('-')) && !parse_offset(out.offset)) return false;
  } else if (!parse_integer(out.offset)) {
    return false;
  }
  while (take(',')) {
    Operand element;
    if (!parse_simple_operand(element)) return false;
    if (element.is(Operand::Kind::Address)) return fail("P0205", element.span, "an address within an address");
    out.elements.push_back(std::move(element));
  }
  if (!expect(']', "after an address")) return false;
  if (token_.is(".unified")) {
    error("P0900", token_.text, "`.unified` on an address is recognised but not supported yet").help =
        "leave it out; it is a hint";
    return false;
  }
  return true;
}

// {a, b, _} or (a, b)
bool Parser::parse_list(Operand& out, Operand::Kind kind, char close) {
  Span at = token_.text;
  advance();
  out.kind = kind;
  if (take(close)) return true;
  if (depth_ >= 4) return fail("P0005", at, "operands are nested too deeply");
  ++depth_;
  bool ok = true;
  do {
    Operand element;
    ok = parse_simple_operand(element);
    if (!ok) break;
    out.elements.push_back(std::move(element));
    if (out.elements.size() > 4096) ok = fail("P0005", at, "this operand has too many elements");
  } while (ok && take(','));
  --depth_;
  return ok && expect(close, "after the elements");
}

}  // namespace warpwise::ptx
