// Single-precision arithmetic (PTX ISA 9.7.3): of one number, of two in a register (.f32x2), and with factors and terms
// of 16 bits (9.7.5), which become singles exactly.
#include "simt/lower/dispatch.h"
#include "simt/lower/min_max.h"
#include "simt/lower/support/approximations.h"
#include "simt/lower/support/rounding.h"

namespace warpwise::simt {

using ptx::Mod;
using ptx::Type;

namespace {

// An f32 operand, flushed with .ftz.
Value in(Emit& e, unsigned index) {
  Value v = e.in(index, Type::F32);
  return e.has(Mod::Ftz) ? flush(v) : v;
}

// .ftz and .sat of a result.
void d(Emit& e, Value v) {
  if (e.has(Mod::Ftz)) v = flush(v);
  if (e.has(Mod::Sat)) v = saturate(v);
  e.d(v);
}

// A sum that is exactly zero has the sign of its equal-signed terms, else + (and - when rounding down):
// IEEE 754-2019 6.3. exact_sum rounds to nearest, so it gives + in the second case.
Value signed_zero(Value sum, Value x, Value y, Round round) {
  if (round != Round::Down) return sum;
  Value either_negative = slt(bits_of(x) | bits_of(y), 0);
  return select((sum == 0) & either_negative, sum.like(-0.0), sum);
}

Value add(Value a, Value b, Round round) {
  if (round == Round::Nearest) return a + b;
  Value x = to_double(a), y = to_double(b);
  Exact sum = exact_sum(x, y);
  // Only an exact zero, not a tiny sum: floats have no sum between zero and their smallest number.
  return signed_zero(round_f32(sum, round), a, b, round);
}

Value multiply(Value a, Value b, Round round) {
  if (round == Round::Nearest) return a * b;
  return round_f32(exactly(to_double(a) * to_double(b)), round);
}

Value multiply_add(Value a, Value b, Value c, Round round) {
  if (round == Round::Nearest) return fma(a, b, c);
  Value product = to_double(a) * to_double(b);
  Exact sum = exact_sum(product, to_double(c));
  Value result = round_f32(sum, round);
  if (round != Round::Down) return result;
  Value zero = signed_zero(sum.s, product, to_double(c), round);
  return select(sum.s == 0, to_float(zero), result);
}

Value smaller_or_larger(Emit& e, bool is_max) {
  Value a = in(e, 1), b = in(e, 2);
  return min_max(e, a, b, is_max, e.has(Mod::XorSign) ? e.bits(a) ^ e.bits(b) : Value());
}

// The magnitudes order as their bits do (min_max.cpp), so .abs is an .xorsign.abs under a plus sign.
Value smallest_or_largest(Emit& e, bool is_max) {
  Value a = in(e, 1), b = in(e, 2), c = in(e, 3), plus = e.i32(0);
  return min_max(e, min_max(e, a, b, is_max, plus), c, is_max, plus);
}

// d = f(operands), of the lower halves and of the upper ones.
template <class F>
void in_pairs(Emit& e, F f) {
  auto compute = [&](unsigned part) {
    auto operand = [&](unsigned index) {
      Value v = float_of(trunc(e.in(index, Type::B64) >> (32 * part), 32));
      return e.has(Mod::Ftz) ? flush(v) : v;
    };
    Value result = f(operand);
    return zext(e.bits(e.has(Mod::Ftz) ? flush(result) : result), 64);
  };
  Value low = compute(0), high = compute(1);
  e.d(low | (high << 32));
}

// An operand of 16 bits as a single.
Value extended(Emit& e, unsigned index) {
  return e.type(1) == Type::F16 ? to_float(e.in(index, Type::F16)) : bf16_to_float(e.in(index, Type::BF16));
}

Value subtract(Value a, Value b, Round round) { return round == Round::Nearest ? a - b : add(a, -b, round); }

}  // namespace

void lower_add_f32(Emit& e) { d(e, add(in(e, 1), in(e, 2), rounding_of(e))); }
void lower_sub_f32(Emit& e) { d(e, subtract(in(e, 1), in(e, 2), rounding_of(e))); }
void lower_mul_f32(Emit& e) { d(e, multiply(in(e, 1), in(e, 2), rounding_of(e))); }
void lower_fma_f32(Emit& e) { d(e, multiply_add(in(e, 1), in(e, 2), in(e, 3), rounding_of(e))); }
// From sm_20 on, mad.f32 is fma.f32 (9.7.3.7).
void lower_mad_f32(Emit& e) { lower_fma_f32(e); }
// The same holds for code for older targets, which names no rounding, when a newer device runs it.
void lower_mad_f32_legacy(Emit& e) { lower_fma_f32(e); }

void lower_div_f32(Emit& e) {
  Value a = in(e, 1), b = in(e, 2);
  Round round = rounding_of(e);
  d(e, round == Round::Nearest ? a / b : round_f32(exact_quotient(to_double(a), to_double(b)), round));
}
void lower_rcp_f32(Emit& e) {
  Value a = in(e, 1);
  Round round = rounding_of(e);
  d(e, round == Round::Nearest ? 1.0f / a : round_f32(exact_quotient(e.f64(1), to_double(a)), round));
}
void lower_sqrt_f32(Emit& e) {
  Value a = in(e, 1);
  Round round = rounding_of(e);
  d(e, round == Round::Nearest ? sqrt(a) : round_f32(exact_sqrt(to_double(a)), round));
}

void lower_abs_f32(Emit& e) { d(e, abs(in(e, 1))); }
void lower_neg_f32(Emit& e) { d(e, -in(e, 1)); }
void lower_min_f32(Emit& e) { d(e, smaller_or_larger(e, false)); }
void lower_max_f32(Emit& e) { d(e, smaller_or_larger(e, true)); }
void lower_min3_f32(Emit& e) { d(e, smallest_or_largest(e, false)); }
void lower_max3_f32(Emit& e) { d(e, smallest_or_largest(e, true)); }

// --- two at a time ---

void lower_add_f32x2(Emit& e) {
  in_pairs(e, [&](auto operand) { return add(operand(1), operand(2), rounding_of(e)); });
}
void lower_sub_f32x2(Emit& e) {
  in_pairs(e, [&](auto operand) { return subtract(operand(1), operand(2), rounding_of(e)); });
}
void lower_mul_f32x2(Emit& e) {
  in_pairs(e, [&](auto operand) { return multiply(operand(1), operand(2), rounding_of(e)); });
}
void lower_fma_f32x2(Emit& e) {
  in_pairs(e, [&](auto operand) { return multiply_add(operand(1), operand(2), operand(3), rounding_of(e)); });
}

// --- with 16 bits: a + c, a - c, a * b + c ---

void lower_add_mixed(Emit& e) { d(e, add(extended(e, 1), in(e, 2), rounding_of(e))); }
void lower_sub_mixed(Emit& e) { d(e, subtract(extended(e, 1), in(e, 2), rounding_of(e))); }
void lower_fma_mixed(Emit& e) { d(e, multiply_add(extended(e, 1), extended(e, 2), in(e, 3), rounding_of(e))); }

// --- approximations ---

void lower_div_approx_f32(Emit& e) { d(e, approx::div(in(e, 1), in(e, 2))); }
// At most 2 ulp over the whole range: the IEEE quotient has half of one.
void lower_div_full_f32(Emit& e) { d(e, in(e, 1) / in(e, 2)); }
void lower_rcp_approx_f32(Emit& e) { d(e, approx::rcp(in(e, 1))); }
void lower_sqrt_approx_f32(Emit& e) { d(e, sqrt(in(e, 1))); }
void lower_rsqrt_approx_f32(Emit& e) { d(e, approx::rsqrt(in(e, 1))); }
void lower_sin_approx_f32(Emit& e) { d(e, approx::sin(in(e, 1))); }
void lower_cos_approx_f32(Emit& e) { d(e, approx::cos(in(e, 1))); }
void lower_lg2_approx_f32(Emit& e) { d(e, approx::lg2(in(e, 1))); }
void lower_ex2_approx_f32(Emit& e) { d(e, approx::ex2(in(e, 1))); }
void lower_tanh_approx_f32(Emit& e) { d(e, approx::tanh(in(e, 1))); }

}  // namespace warpwise::simt
