// Half precision and bfloat16 arithmetic (PTX ISA 9.7.4), single and packed in pairs.
//
// Everything is computed in float or double and rounded once to 16 bits. Why that is exact:
//
//   f16, bf16 add   A float has 24 bits, at least twice the 11 (or 8) plus 2, so rounding the sum first to
//   f16 mul         float and then to 16 bits is as good as rounding once (Figueroa, "When is double
//                   rounding innocuous?", 1995). Sums cannot underflow; f16 products fit a float exactly.
//   f16 fma         The product is exact in float (22 bits, from 2^-48 to 2^32); exact_sum keeps what the sum loses;
//                   round to odd.
//   bf16 mul        Products have 16 bits, so a float is exact unless it is subnormal, and one that it must round lies
//   below
//                   2^-134, half the smallest bfloat16 (or becomes it, and 0 as it should: halves go to even).
//   bf16 fma        Rounded to float first, it goes wrong only halfway between two bfloat16, where one must know on
//   which
//                   side the exact result lies: round to odd by the sign of what the float misses. That is computed
//                   exactly, times a power of two (multiply_add_bf16).
//
// bfloat16 values are i16, and a NaN becomes 0x7fff in rounding. f16 values are `half`, and a NaN becomes canonical
// when it escapes (emit.h).
#include "simt/lower/dispatch.h"
#include "simt/lower/min_max.h"
#include "simt/lower/support/approximations.h"
#include "simt/lower/support/rounding.h"

namespace warpwise::simt {

using ptx::Mod;
using ptx::Type;

namespace {

// One of the two formats: how 16 bits become a float and a float 16 bits.
struct F16 {
  static Value read(Value bits) { return to_float(half_of(bits)); }
  static Value round(Value f) { return to_half(f); }
  static Value widen(Value rounded) { return to_float(rounded); }
  static constexpr float kSmallestNormal = 0x1p-14f;
  static constexpr float kSmallestQuarter = 0x1p-26f;  // of its ulp
};
struct BF16 {
  static Value read(Value bits) { return bf16_to_float(bits); }
  static Value round(Value f) { return round_bf16(f, Round::Nearest); }
  static Value widen(Value rounded) { return bf16_to_float(rounded); }
  static constexpr float kSmallestNormal = 0x1p-126f;
  static constexpr float kSmallestQuarter = 0x1p-135f;
};

template <class Format>
Value flush_subnormal(Value f) {
  return select(abs(f) < Format::kSmallestNormal, copysign(f.like(0), f), f);
}

// .relu: what is negative, and -0, becomes +0; NaN stays.
Value relu(Value f) { return select((f > 0) | is_nan(f), f, 0); }

// Reads operand k (its half `part` of a packed one) as float.
template <class Format>
Value read(Emit& e, unsigned index, unsigned part, bool packed) {
  Value f;
  if (packed) {
    f = Format::read(trunc(e.in(index, Type::B32) >> (16 * part), 16));
  } else if constexpr (std::is_same_v<Format, F16>) {
    f = to_float(e.in(index, Type::F16));
  } else {
    f = Format::read(e.in(index, Type::B16));
  }
  return e.has(Mod::Ftz) ? flush_subnormal<Format>(f) : f;
}

bool is_bf16(const Emit& e) { return e.type() == Type::BF16 || e.type() == Type::BF16x2; }

// .ftz of a result: is it below the smallest normal number when it is rounded with an unbounded exponent? A quarter
// of an ulp more and the rounding would reach that number.
template <class Format>
Value flush_result(Value f) {
  return select(abs(f) < Format::kSmallestNormal - Format::kSmallestQuarter, copysign(f.like(0), f), f);
}

// Rounds a result, with .ftz before, and .sat and .relu applied to the rounded value.
template <class Format>
Value finish(Emit& e, Value f) {
  if (e.has(Mod::Ftz)) f = flush_result<Format>(f);
  Value rounded = Format::round(f);
  if (!e.has(Mod::Sat) && !e.has(Mod::Relu)) return rounded;
  Value wide = Format::widen(rounded);
  if (e.has(Mod::Sat)) wide = saturate(wide);
  if (e.has(Mod::Relu)) wide = relu(wide);
  return Format::round(wide);
}

// f(a, b, …) in one format, for each of the numbers in a register.
template <class Format, class F>
Value results(Emit& e, unsigned operands, F f) {
  bool packed = ptx::bits_of(e.type()) == 32;
  auto compute = [&](unsigned part) {
    Value a = read<Format>(e, 1, part, packed);
    Value b = operands > 1 ? read<Format>(e, 2, part, packed) : Value();
    Value c = operands > 2 ? read<Format>(e, 3, part, packed) : Value();
    return finish<Format>(e, f(a, b, c));
  };
  if (!packed) return compute(0);
  Value low = e.bits(compute(0)), high = e.bits(compute(1));
  return zext(low, 32) | (zext(high, 32) << 16);
}

// d = f(a, b, …).
template <class Format, class F>
void each(Emit& e, unsigned operands, F f) {
  e.d(results<Format>(e, operands, f));
}

Value add(Value a, Value b, Value) { return a + b; }
Value subtract(Value a, Value b, Value) { return a - b; }
Value multiply(Value a, Value b, Value) { return a * b; }
Value multiply_add_f16(Value a, Value b, Value c) { return to_odd(exact_sum(a * b, c)); }

// The second sum is the first one times 2^120 where that is small (and exact: a bfloat16 is a multiple of 2^-133, so a
// product one of 2^-266), otherwise a quarter of it, so that a product larger than any float, and a sum with it that is
// not, stays finite. A product that is lost beside a sum of 2^-100 or more is not needed: the sum is c then.
// What overflows beside a small sum comes to NaN, which has no sign, and that sum is exact: such a product and c
// cancel.
Value multiply_add_bf16(Value a, Value b, Value c) {
  Value s = fma(a, b, c);
  Value root = select(abs(s) < 0x1p-100f, s.like(0x1p60f), s.like(0x1p-1f));
  auto scaled = [&](Value v) { return v * root * root; };
  Exact sum = exact_sum((a * root) * (b * root), scaled(c));
  return to_odd({s, (sum.s - scaled(s)) + sum.err});
}
Value tanh(Value a, Value, Value) { return approx::tanh(a); }
Value ex2(Value a, Value, Value) { return approx::ex2(a); }

// For .xorsign: the signs of both operands, of NaNs too, over each other in the uppermost of 32 bits. Read here from
// the halves themselves, because extending a NaN makes a new one.
Value signs(Emit& e, unsigned part) {
  if (ptx::bits_of(e.type()) == 32) return (e.in(1, Type::B32) ^ e.in(2, Type::B32)) << (part == 0 ? 16 : 0);
  const Type type = e.type() == Type::F16 ? Type::F16 : Type::B16;
  return zext(e.bits(e.in(1, type)) ^ e.bits(e.in(2, type)), 32) << 16;
}

template <class Format>
void smaller_or_larger(Emit& e, bool is_max) {
  unsigned part = 0;
  each<Format>(e, 2, [&](Value a, Value b, Value) {
    return min_max(e, a, b, is_max, e.has(Mod::XorSign) ? signs(e, part++) : Value());
  });
}

// neg and abs change sign bits, but for a NaN both give the format's NaN. The manual leaves its bits open, and GPUs use
// one NaN for all results.
template <class F>
void signs(Emit& e, F on_bits) {
  const bool packed = ptx::bits_of(e.type()) == 32;
  const uint32_t infinity = is_bf16(e) ? 0x7f80 : 0x7c00;
  Value word = e.a(packed ? Type::B32 : Type::B16);
  auto part = [&](Value bits) {
    if (e.has(Mod::Ftz)) bits = select((bits & infinity) == 0, bits & 0x8000, bits);
    return select((bits & 0x7fff) > infinity, 0x7fff, on_bits(bits));
  };
  if (!packed) return e.d(part(word));
  e.d(zext(part(trunc(word, 16)), 32) | (zext(part(trunc(word >> 16, 16)), 32) << 16));
}

void negate(Emit& e) {
  signs(e, [](Value bits) { return bits ^ 0x8000; });
}
void absolute(Emit& e) {
  signs(e, [](Value bits) { return bits & 0x7fff; });
}

// .oob: the NaN 0x7ff7, with either sign, marks elements outside of a tensor, and turns a product and its sum into +0.
// (9.7.4.4 mentions the mark but not its bits. Of all NaNs only these act so on an H200, in both formats, and only as
// factors.)
void multiply_add_oob(Emit& e) {
  const bool packed = ptx::bits_of(e.type()) == 32;
  Value a = e.a(packed ? Type::B32 : Type::B16), b = e.b(packed ? Type::B32 : Type::B16);
  Value sum = e.bits(is_bf16(e) ? results<BF16>(e, 3, multiply_add_bf16) : results<F16>(e, 3, multiply_add_f16));
  auto part = [&](unsigned k) {
    auto is_outside = [&](Value word) { return (trunc(word >> (16 * k), 16) & 0x7fff) == 0x7ff7; };
    return select(is_outside(a) | is_outside(b), 0, trunc(sum >> (16 * k), 16));
  };
  if (!packed) return e.d(part(0));
  e.d(zext(part(0), 32) | (zext(part(1), 32) << 16));
}

}  // namespace

void lower_add_f16(Emit& e) { each<F16>(e, 2, add); }
void lower_add_f16x2(Emit& e) { each<F16>(e, 2, add); }
void lower_add_bf16(Emit& e) { each<BF16>(e, 2, add); }
void lower_add_bf16x2(Emit& e) { each<BF16>(e, 2, add); }
void lower_sub_f16(Emit& e) { each<F16>(e, 2, subtract); }
void lower_sub_f16x2(Emit& e) { each<F16>(e, 2, subtract); }
void lower_sub_bf16(Emit& e) { each<BF16>(e, 2, subtract); }
void lower_sub_bf16x2(Emit& e) { each<BF16>(e, 2, subtract); }
void lower_mul_f16(Emit& e) { each<F16>(e, 2, multiply); }
void lower_mul_f16x2(Emit& e) { each<F16>(e, 2, multiply); }
void lower_mul_bf16(Emit& e) { each<BF16>(e, 2, multiply); }
void lower_mul_bf16x2(Emit& e) { each<BF16>(e, 2, multiply); }
void lower_fma_f16(Emit& e) { each<F16>(e, 3, multiply_add_f16); }
void lower_fma_f16x2(Emit& e) { each<F16>(e, 3, multiply_add_f16); }
void lower_fma_relu_f16(Emit& e) { each<F16>(e, 3, multiply_add_f16); }
void lower_fma_relu_f16x2(Emit& e) { each<F16>(e, 3, multiply_add_f16); }
void lower_fma_bf16(Emit& e) { each<BF16>(e, 3, multiply_add_bf16); }
void lower_fma_bf16x2(Emit& e) { each<BF16>(e, 3, multiply_add_bf16); }
void lower_fma_oob(Emit& e) { multiply_add_oob(e); }

void lower_neg_f16(Emit& e) { negate(e); }
void lower_neg_f16x2(Emit& e) { negate(e); }
void lower_neg_bf16(Emit& e) { negate(e); }
void lower_neg_bf16x2(Emit& e) { negate(e); }
void lower_abs_f16(Emit& e) { absolute(e); }
void lower_abs_f16x2(Emit& e) { absolute(e); }
void lower_abs_bf16(Emit& e) { absolute(e); }
void lower_abs_bf16x2(Emit& e) { absolute(e); }

void lower_min_f16(Emit& e) { smaller_or_larger<F16>(e, false); }
void lower_min_f16x2(Emit& e) { smaller_or_larger<F16>(e, false); }
void lower_min_bf16(Emit& e) { smaller_or_larger<BF16>(e, false); }
void lower_min_bf16x2(Emit& e) { smaller_or_larger<BF16>(e, false); }
void lower_max_f16(Emit& e) { smaller_or_larger<F16>(e, true); }
void lower_max_f16x2(Emit& e) { smaller_or_larger<F16>(e, true); }
void lower_max_bf16(Emit& e) { smaller_or_larger<BF16>(e, true); }
void lower_max_bf16x2(Emit& e) { smaller_or_larger<BF16>(e, true); }

void lower_tanh_approx_f16(Emit& e) { each<F16>(e, 1, tanh); }
void lower_tanh_approx_f16x2(Emit& e) { each<F16>(e, 1, tanh); }
void lower_tanh_approx_bf16(Emit& e) { each<BF16>(e, 1, tanh); }
void lower_tanh_approx_bf16x2(Emit& e) { each<BF16>(e, 1, tanh); }
void lower_ex2_approx_f16(Emit& e) { each<F16>(e, 1, ex2); }
void lower_ex2_approx_f16x2(Emit& e) { each<F16>(e, 1, ex2); }
void lower_ex2_approx_bf16(Emit& e) { each<BF16>(e, 1, ex2); }
void lower_ex2_approx_bf16x2(Emit& e) { each<BF16>(e, 1, ex2); }

}  // namespace warpwise::simt
