// Constant expressions (PTX ISA 4.5.3 to 4.5.6): C's operators on 64-bit integers, unsigned when an
// operand is. Floating-point constants take only a sign.
#include <fmt/format.h>

#include "ptx/parse/parser_state.h"

namespace warpwise::ptx {
namespace {

struct Operator {
  std::string_view text;
  int precedence;
};
constexpr Operator kOperators[] = {
    {"*", 10}, {"/", 10}, {"%", 10}, {"+", 9},  {"-", 9}, {"<<", 8}, {">>", 8}, {"<", 7},  {">", 7},
    {"<=", 7}, {">=", 7}, {"==", 6}, {"!=", 6}, {"&", 5}, {"^", 4},  {"|", 3},  {"&&", 2}, {"||", 1},
};

// The operator at a token. `%` has no token of its own: it begins register names.
const Operator* operator_at(const Token& token) {
  if (token.kind != Token::Kind::Punctuation && !(token.kind == Token::Kind::Word && token.text == "%")) return nullptr;
  for (const Operator& op : kOperators)
    if (token.text == op.text) return &op;
  return nullptr;
}

Constant integer(uint64_t bits, bool is_unsigned) {
  Constant c;
  c.bits = bits;
  c.is_unsigned = is_unsigned;
  return c;
}

// Nothing for a division by zero.
std::optional<Constant> apply(std::string_view op, const Constant& x, const Constant& y) {
  bool u = x.is_unsigned || y.is_unsigned;
  uint64_t a = x.bits, b = y.bits;
  auto sa = static_cast<int64_t>(a), sb = static_cast<int64_t>(b);
  auto truth = [](bool value) { return integer(value, false); };
  if (op == "*") return integer(a * b, u);
  if (op == "+") return integer(a + b, u);
  if (op == "-") return integer(a - b, u);
  if (op == "/" || op == "%") {
    if (b == 0) return std::nullopt;
    bool quotient = op == "/";
    if (u) return integer(quotient ? a / b : a % b, true);
    if (sb == -1) return integer(quotient ? 0 - a : 0, false);  // INT64_MIN / -1 wraps
    return integer(static_cast<uint64_t>(quotient ? sa / sb : sa % sb), false);
  }
  if (op == "<<") return integer(b < 64 ? a << b : 0, x.is_unsigned);
  if (op == ">>") {
    if (x.is_unsigned) return integer(b < 64 ? a >> b : 0, true);
    return integer(static_cast<uint64_t>(sa >> (b < 64 ? b : 63)), false);
  }
  if (op == "<") return truth(u ? a < b : sa < sb);
  if (op == ">") return truth(u ? a > b : sa > sb);
  if (op == "<=") return truth(u ? a <= b : sa <= sb);
  if (op == ">=") return truth(u ? a >= b : sa >= sb);
  if (op == "==") return truth(a == b);
  if (op == "!=") return truth(a != b);
  if (op == "&") return integer(a & b, u);
  if (op == "^") return integer(a ^ b, u);
  if (op == "|") return integer(a | b, u);
  if (op == "&&") return truth(a && b);
  return truth(a || b);
}

}  // namespace

bool Parser::starts_expression() const {
  return token_.kind == Token::Kind::Number || token_.is('-') || token_.is('+') || token_.is('(') || token_.is('~') ||
         token_.is('!') || token_.is("WARP_SZ");
}

bool Parser::parse_expression(Constant& out) {
  if (!parse_binary(out, 1)) return false;
  if (!token_.is('?')) return true;
  Span at = token_.text;
  if (out.is_float) return fail("P0003", at, "a condition must be an integer");
  advance();
  Constant yes, no;
  if (++depth_ > ParseLimits::kNesting) return fail("P0005", at, "this expression is nested too deeply");
  bool ok = parse_expression(yes) && expect(':', "between the values of `?`") && parse_expression(no);
  --depth_;
  if (ok) out = out.bits ? yes : no;
  return ok;
}

bool Parser::parse_binary(Constant& out, int lowest) {
  if (!parse_unary(out)) return false;
  for (;;) {
    const Operator* op = operator_at(token_);
    if (!op || op->precedence < lowest) return true;
    Span at = token_.text;
    advance();
    Constant right;
    if (!parse_binary(right, op->precedence + 1)) return false;
    if (out.is_float || right.is_float)
      return fail("P0003", at, fmt::format("`{}` does not apply to floating-point constants", op->text));
    std::optional<Constant> value = apply(op->text, out, right);
    if (!value) return fail("P0003", at, "division by zero in a constant");
    out = *value;
  }
}

bool Parser::bad_number() {
  Diagnostic& d =
      error("P0003", token_.text, fmt::format("`{}` is not a number of at most 64 bits", token_.text.substr(0, 60)));
  char second = token_.text.size() > 1 ? token_.text[1] : ' ';
  if (second == 'f' || second == 'F') d.help = "0f takes exactly 8 hexadecimal digits";
  if (second == 'd' || second == 'D') d.help = "0d takes exactly 16 hexadecimal digits";
  return false;
}

bool Parser::parse_unary(Constant& out) {
  if (token_.kind == Token::Kind::Number) {
    std::optional<Constant> value = parse_number(token_.text);
    if (!value) return bad_number();
    out = *value;
    advance();
    return true;
  }
  if (take("WARP_SZ")) {
    out = integer(32, false);
    return true;
  }
  Span at = token_.text;
  if (depth_ >= ParseLimits::kNesting) return fail("P0005", at, "this expression is nested too deeply");
  ++depth_;
  bool ok = true;
  if (take('(')) {
    if (token_.is(".s64") || token_.is(".u64")) {
      bool is_unsigned = token_.is(".u64");
      advance();
      ok = expect(')', "after a cast") && parse_unary(out);
      if (ok && out.is_float) ok = fail("P0003", at, "a cast applies to integers");
      out.is_unsigned = is_unsigned;
    } else {
      ok = parse_expression(out) && expect(')', "to close the expression");
    }
  } else if (take('-')) {
    ok = parse_unary(out);
    if (out.is_float)
      out.bits ^= uint64_t{1} << 63, out.float_bits ^= out.exact_f32 ? 0x80000000u : 0;
    else
      out.bits = 0 - out.bits;
  } else if (take('+')) {
    ok = parse_unary(out);
  } else if (token_.is('~') || token_.is('!')) {
    bool complement = token_.is('~');
    advance();
    ok = parse_unary(out);
    if (ok && out.is_float) ok = fail("P0003", at, fmt::format("`{}` does not apply to floating-point constants", at));
    out = integer(complement ? ~out.bits : out.bits == 0, complement && out.is_unsigned);
  } else {
    ok = expected("a constant");
  }
  --depth_;
  return ok;
}

bool Parser::parse_integer(int64_t& out) {
  Span at = token_.text;
  Constant value;
  if (!parse_expression(value)) return false;
  if (value.is_float) return fail("P0003", at, "an integer is expected here");
  out = static_cast<int64_t>(value.bits);
  return true;
}

bool Parser::parse_unsigned(uint64_t& out, uint64_t limit) {
  Span at = token_.text;
  int64_t value = 0;
  if (!parse_integer(value)) return false;
  if (value < 0 || static_cast<uint64_t>(value) > limit)
    return fail("P0003", at, fmt::format("this must be between 0 and {}", limit));
  out = static_cast<uint64_t>(value);
  return true;
}

}  // namespace warpwise::ptx
