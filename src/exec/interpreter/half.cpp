// Half precision and bfloat16 arithmetic (PTX ISA 9.7.4), single and packed in pairs.
//
// Numbers become doubles, which is exact; sums, products and fma are rounded to odd there, and once more to
// 16 bits, which is then as good as one rounding.
#include "exec/interpreter/choices.h"
#include "exec/interpreter/dispatch.h"
#include "exec/interpreter/floating.h"
#include "simt/lower/support/approximations.h"

namespace warpwise::exec::interpreter {

using ptx::Mod;
using ptx::Type;

namespace {

double flush_subnormal(Format format, double value) {
  double smallest = std::ldexp(1.0, 1 - format.bias());
  return std::fabs(value) < smallest ? std::copysign(0.0, value) : value;
}

// Part `part` of operand `index` as a double.
double read_part(Step& s, unsigned index, unsigned part) {
  Format format = format_of(s.type());
  double value = read(
      format, static_cast<uint64_t>(s.bits_in(index, s.bits() == 32 ? Type::B32 : Type::B16) >> (16 * part) & 0xffff));
  return s.has(Mod::Ftz) ? flush_subnormal(format, value) : value;
}

// .ftz of a result: is it below the smallest normal number when it is rounded with an unbounded exponent? A quarter
// of an ulp more and the rounding would reach that number.
double flush_result(Format format, double value) {
  double smallest = std::ldexp(1.0, 1 - format.bias());
  double quarter = std::ldexp(smallest, -static_cast<int>(format.fraction_bits) - 2);
  return std::fabs(value) < smallest - quarter ? std::copysign(0.0, value) : value;
}

// .ftz, then the result rounded, then .sat and .relu applied to what came out.
Bits finish(Step& s, double value) {
  Format format = format_of(s.type());
  if (s.has(Mod::Ftz)) value = flush_result(format, value);
  uint64_t rounded = round_to(format, value, Round::Nearest);
  double result = read(format, rounded);
  if (s.has(Mod::Sat)) result = saturate(result);
  if (s.has(Mod::Relu) && !(result > 0) && !std::isnan(result)) result = 0;
  return round_to(format, result, Round::Nearest);
}

// d = f(k) for each number k of the register.
template <class F>
void each(Step& s, F f) {
  Bits result = 0;
  for (unsigned part = 0; part < s.bits() / 16; ++part) result |= finish(s, f(part)) << (16 * part);
  s.d(result, s.bits() == 32 ? Type::B32 : Type::B16);
}

void add(Step& s) {
  each(s, [&](unsigned k) { return to_odd([a = read_part(s, 1, k), b = read_part(s, 2, k)] { return a + b; }); });
}
void subtract(Step& s) {
  each(s, [&](unsigned k) { return to_odd([a = read_part(s, 1, k), b = read_part(s, 2, k)] { return a - b; }); });
}
void multiply(Step& s) {
  each(s, [&](unsigned k) { return read_part(s, 1, k) * read_part(s, 2, k); });  // exact in double
}
void multiply_add(Step& s) {
  each(s, [&](unsigned k) {
    return to_odd(
        [a = read_part(s, 1, k), b = read_part(s, 2, k), c = read_part(s, 3, k)] { return std::fma(a, b, c); });
  });
}
void extreme(Step& s, bool is_max) {
  each(s, [&](unsigned k) { return min_max(s, read_part(s, 1, k), read_part(s, 2, k), is_max); });
}
void tanh(Step& s) {
  each(s, [&](unsigned k) { return double{simt::approx::tanh(static_cast<float>(read_part(s, 1, k)))}; });
}
void ex2(Step& s) {
  each(s, [&](unsigned k) { return double{simt::approx::ex2(static_cast<float>(read_part(s, 1, k)))}; });
}

// Of a NaN both are the format's NaN: the manual leaves its bits open, and GPUs have one for all results.
void negate(Step& s) {
  each(s, [&](unsigned k) { return -read_part(s, 1, k); });
}
void absolute(Step& s) {
  each(s, [&](unsigned k) { return std::fabs(read_part(s, 1, k)); });
}

// .oob: the NaN 0x7ff7, with either sign, marks what lay outside of a tensor, and makes of a product and its sum +0.
// (9.7.4.4 mentions the mark but not its bits; of all NaNs these alone act so on an H200, in both formats, and only
// as factors.)
void multiply_add_oob(Step& s) {
  auto is_outside = [&](unsigned index, unsigned part) {
    return (s.bits_in(index, s.bits() == 32 ? Type::B32 : Type::B16) >> (16 * part) & 0x7fff) == 0x7ff7;
  };
  each(s, [&](unsigned k) {
    if (is_outside(1, k) || is_outside(2, k)) return 0.0;
    return to_odd(
        [a = read_part(s, 1, k), b = read_part(s, 2, k), c = read_part(s, 3, k)] { return std::fma(a, b, c); });
  });
}

}  // namespace

void run_add_f16(Step& s) { add(s); }
void run_add_f16x2(Step& s) { add(s); }
void run_add_bf16(Step& s) { add(s); }
void run_add_bf16x2(Step& s) { add(s); }
void run_sub_f16(Step& s) { subtract(s); }
void run_sub_f16x2(Step& s) { subtract(s); }
void run_sub_bf16(Step& s) { subtract(s); }
void run_sub_bf16x2(Step& s) { subtract(s); }
void run_mul_f16(Step& s) { multiply(s); }
void run_mul_f16x2(Step& s) { multiply(s); }
void run_mul_bf16(Step& s) { multiply(s); }
void run_mul_bf16x2(Step& s) { multiply(s); }
void run_fma_f16(Step& s) { multiply_add(s); }
void run_fma_f16x2(Step& s) { multiply_add(s); }
void run_fma_relu_f16(Step& s) { multiply_add(s); }
void run_fma_relu_f16x2(Step& s) { multiply_add(s); }
void run_fma_bf16(Step& s) { multiply_add(s); }
void run_fma_bf16x2(Step& s) { multiply_add(s); }
void run_fma_oob(Step& s) { multiply_add_oob(s); }

void run_neg_f16(Step& s) { negate(s); }
void run_neg_f16x2(Step& s) { negate(s); }
void run_neg_bf16(Step& s) { negate(s); }
void run_neg_bf16x2(Step& s) { negate(s); }
void run_abs_f16(Step& s) { absolute(s); }
void run_abs_f16x2(Step& s) { absolute(s); }
void run_abs_bf16(Step& s) { absolute(s); }
void run_abs_bf16x2(Step& s) { absolute(s); }

void run_min_f16(Step& s) { extreme(s, false); }
void run_min_f16x2(Step& s) { extreme(s, false); }
void run_min_bf16(Step& s) { extreme(s, false); }
void run_min_bf16x2(Step& s) { extreme(s, false); }
void run_max_f16(Step& s) { extreme(s, true); }
void run_max_f16x2(Step& s) { extreme(s, true); }
void run_max_bf16(Step& s) { extreme(s, true); }
void run_max_bf16x2(Step& s) { extreme(s, true); }

void run_tanh_approx_f16(Step& s) { tanh(s); }
void run_tanh_approx_f16x2(Step& s) { tanh(s); }
void run_tanh_approx_bf16(Step& s) { tanh(s); }
void run_tanh_approx_bf16x2(Step& s) { tanh(s); }
void run_ex2_approx_f16(Step& s) { ex2(s); }
void run_ex2_approx_f16x2(Step& s) { ex2(s); }
void run_ex2_approx_bf16(Step& s) { ex2(s); }
void run_ex2_approx_bf16x2(Step& s) { ex2(s); }

}  // namespace warpwise::exec::interpreter
