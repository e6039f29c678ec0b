#include "simt/instrument/count_slow_ways.h"

#include "simt/instrument/counts.h"

namespace warpwise::simt {

namespace {

using ptx::Type;

// A format of IEEE, by the bits of its exponent.
struct IeeeFormat {
  unsigned bits, fraction, last_exponent;
};
constexpr IeeeFormat kIeeeSingle{32, 23, 255}, kIeeeDouble{64, 52, 2047};

Value exponent(Value bits, IeeeFormat f) { return (bits >> f.fraction) & uint64_t{f.last_exponent}; }
// Whether low <= v <= high; both fit into the exponent's integer.
Value within(Value v, int64_t low, int64_t high) { return v - low <= uint64_t(high - low); }

// Which exponents ptxas lets through was measured on an H200, with operands of every exponent: of f32 all pairs, of f64
// every eighth; and with infinities and what is no number, which take the slow way. Of f64 the code tests the upper
// word of the quotient as if it were a float: the last eight exponents fail. (sass_forms.inc has what the slow way
// takes.)
Value is_slow_division(Value a, Value b, IeeeFormat f) {
  const int64_t last = f.last_exponent, bias = last / 2;
  const int64_t most = f.bits == 32 ? bias - 1 : bias - 7;
  Value of_a = exponent(a, f), of_b = exponent(b, f);
  return !(within(of_b, 2, last - 4) & within(of_a, f.fraction + 2, last - 1) & within(of_a - of_b, -(bias - 3), most));
}
Value is_slow_reciprocal(Value a, IeeeFormat f) { return !within(exponent(a, f), 1, int64_t{f.last_exponent} - 3); }
// Negative numbers have larger bits than all others.
Value is_slow_root(Value a, IeeeFormat f) {
  const int64_t least = f.bits == 32 ? 26 : 53;
  return !within(a >> f.fraction, least, int64_t{f.last_exponent} - 1);
}

}  // namespace

void count_slow_way(Emit& e, uint32_t instruction) {
  const std::string_view row = e.inst->spec().name;
  const bool single = row.ends_with("_f32");
  if (!single && !row.ends_with("_f64")) return;
  const IeeeFormat format = single ? kIeeeSingle : kIeeeDouble;
  const auto operand = [&](unsigned n) { return e.in(n, single ? Type::B32 : Type::B64); };
  Value slow;
  if (row == "div_f32" || row == "div_f64") slow = is_slow_division(operand(1), operand(2), format);
  if (row == "rcp_f32" || row == "rcp_f64") slow = is_slow_reciprocal(operand(1), format);
  if (row == "sqrt_f32" || row == "sqrt_f64") slow = is_slow_root(operand(1), format);
  if (slow.get() == nullptr) return;
  const uint32_t cell = e.function().module.cells[e.function().index] + instruction;
  e.call(Dialect::CountGuard, e.i32(cell), e.i32(uint32_t(LaneMark::SlowWay)), slow);
}

}  // namespace warpwise::simt
