// Single and double precision, pairs of singles, and singles with halves (PTX ISA 9.7.3, 9.7.5). The host's own
// arithmetic is IEEE 754 in all four roundings, so each instruction is one operation under its rounding.
#include "exec/interpreter/floating.h"

#include "base/subnormals.h"
#include "exec/interpreter/choices.h"
#include "exec/interpreter/dispatch.h"
#include "simt/lower/support/approximations.h"

namespace warpwise::exec::interpreter {

using ptx::Mod;
using ptx::Type;
namespace approx = simt::approx;

namespace {

// An f32 operand, flushed with .ftz.
float in(Step& s, unsigned index) { return s.has(Mod::Ftz) ? flush(s.f32(index)) : s.f32(index); }

// What an operation yields, with .ftz flushed as it is rounded. Not inline: its arithmetic must not leave it.
[[gnu::noinline]] float flushed(Step& s, const std::function<float()>& operation) {
  const FlushedSubnormals flushes(s.has(Mod::Ftz));
  return operation();
}

// .ftz and .sat of a result.
void d(Step& s, float value) {
  if (s.has(Mod::Ftz)) value = flush(value);
  if (s.has(Mod::Sat)) value = saturate(value);
  s.d(value);
}

// d = f(operands) in the instruction's rounding.
template <class F>
void rounded32(Step& s, F f) {
  d(s, flushed(s, [&] { return with_rounding(s.rounding(), std::function<float()>(f)); }));
}
template <class F>
void rounded64(Step& s, F f) {
  s.d(with_rounding(s.rounding(), std::function<double()>(f)));
}

// .f32x2: d = f(operands), of the lower halves and of the upper ones.
template <class F>
void in_pairs(Step& s, F f) {
  Bits result = 0;
  for (unsigned part = 0; part < 2; ++part) {
    auto operand = [&](unsigned index) {
      float value = float_of(s.bits_in(index, Type::B64) >> (32 * part));
      return s.has(Mod::Ftz) ? flush(value) : value;
    };
    float value = f(operand);
    if (s.has(Mod::Ftz)) value = flush(value);
    result |= (std::isnan(value) ? Bits{kNanF32} : bits_of(value)) << (32 * part);
  }
  s.d(result, Type::B64);
}
float rounded(Step& s, const std::function<float()>& f) {
  return flushed(s, [&] { return with_rounding(s.rounding(), f); });
}

// An operand of 16 bits.
float extended(Step& s, unsigned index) {
  return static_cast<float>(read(format_of(s.type(1)), static_cast<uint64_t>(s.bits_in(index, s.type(1)))));
}

// The least or greatest of three.
void smallest_or_largest(Step& s, bool is_max) {
  auto operand = [&](unsigned index) { return s.has(Mod::Abs) ? std::fabs(in(s, index)) : in(s, index); };
  d(s, min_max(s, min_max(s, operand(1), operand(2), is_max), operand(3), is_max));
}

}  // namespace

void run_add_f32(Step& s) {
  rounded32(s, [a = in(s, 1), b = in(s, 2)] { return a + b; });
}
void run_sub_f32(Step& s) {
  rounded32(s, [a = in(s, 1), b = in(s, 2)] { return a - b; });
}
void run_mul_f32(Step& s) {
  rounded32(s, [a = in(s, 1), b = in(s, 2)] { return a * b; });
}
void run_fma_f32(Step& s) {
  rounded32(s, [a = in(s, 1), b = in(s, 2), c = in(s, 3)] { return std::fma(a, b, c); });
}
// From sm_20 on, mad.f32 is fma.f32 (9.7.3.7).
void run_mad_f32(Step& s) { run_fma_f32(s); }
void run_mad_f32_legacy(Step& s) { run_fma_f32(s); }
void run_div_f32(Step& s) {
  rounded32(s, [a = in(s, 1), b = in(s, 2)] { return a / b; });
}
void run_rcp_f32(Step& s) {
  rounded32(s, [a = in(s, 1)] { return 1.0f / a; });
}
void run_sqrt_f32(Step& s) {
  rounded32(s, [a = in(s, 1)] { return std::sqrt(a); });
}
// "NaN input yields unspecified NaN" (9.7.3.10, 9.7.3.11): GPUs add to -0, and make of it the NaN of every sum.
void run_abs_f32(Step& s) { s.d(std::fabs(in(s, 1))); }
void run_neg_f32(Step& s) { s.d(-in(s, 1)); }
void run_min_f32(Step& s) { d(s, min_max(s, in(s, 1), in(s, 2), false)); }
void run_max_f32(Step& s) { d(s, min_max(s, in(s, 1), in(s, 2), true)); }
void run_min3_f32(Step& s) { smallest_or_largest(s, false); }
void run_max3_f32(Step& s) { smallest_or_largest(s, true); }

void run_add_f32x2(Step& s) {
  in_pairs(s, [&](auto in) { return rounded(s, [a = in(1), b = in(2)] { return a + b; }); });
}
void run_sub_f32x2(Step& s) {
  in_pairs(s, [&](auto in) { return rounded(s, [a = in(1), b = in(2)] { return a - b; }); });
}
void run_mul_f32x2(Step& s) {
  in_pairs(s, [&](auto in) { return rounded(s, [a = in(1), b = in(2)] { return a * b; }); });
}
void run_fma_f32x2(Step& s) {
  in_pairs(s, [&](auto in) { return rounded(s, [a = in(1), b = in(2), c = in(3)] { return std::fma(a, b, c); }); });
}

void run_add_mixed(Step& s) {
  rounded32(s, [a = extended(s, 1), c = s.f32(2)] { return a + c; });
}
void run_sub_mixed(Step& s) {
  rounded32(s, [a = extended(s, 1), c = s.f32(2)] { return a - c; });
}
void run_fma_mixed(Step& s) {
  rounded32(s, [a = extended(s, 1), b = extended(s, 2), c = s.f32(3)] { return std::fma(a, b, c); });
}

void run_add_f64(Step& s) {
  rounded64(s, [a = s.f64(1), b = s.f64(2)] { return a + b; });
}
void run_sub_f64(Step& s) {
  rounded64(s, [a = s.f64(1), b = s.f64(2)] { return a - b; });
}
void run_mul_f64(Step& s) {
  rounded64(s, [a = s.f64(1), b = s.f64(2)] { return a * b; });
}
void run_fma_f64(Step& s) {
  rounded64(s, [a = s.f64(1), b = s.f64(2), c = s.f64(3)] { return std::fma(a, b, c); });
}
void run_mad_f64(Step& s) { run_fma_f64(s); }
void run_div_f64(Step& s) {
  rounded64(s, [a = s.f64(1), b = s.f64(2)] { return a / b; });
}
void run_rcp_f64(Step& s) {
  rounded64(s, [a = s.f64(1)] { return 1.0 / a; });
}
void run_sqrt_f64(Step& s) {
  rounded64(s, [a = s.f64(1)] { return std::sqrt(a); });
}
// A NaN of f64 passes with its sign (9.7.3.10, 9.7.3.11), quiet from then on.
void run_abs_f64(Step& s) { s.d(std::isnan(s.f64(1)) ? quiet(s.f64(1)) : std::fabs(s.f64(1))); }
void run_neg_f64(Step& s) { s.d(std::isnan(s.f64(1)) ? quiet(s.f64(1)) : -s.f64(1)); }
void run_min_f64(Step& s) { s.d(min_max(s, s.f64(1), s.f64(2), false)); }
void run_max_f64(Step& s) { s.d(min_max(s, s.f64(1), s.f64(2), true)); }

// --- approximations ---

void run_div_approx_f32(Step& s) {
  d(s, flushed(s, [&] { return approx::div(in(s, 1), in(s, 2)); }));
}
// At most 2 ulp over the whole range: the IEEE quotient has half of one.
void run_div_full_f32(Step& s) {
  d(s, flushed(s, [&] { return in(s, 1) / in(s, 2); }));
}
void run_rcp_approx_f32(Step& s) {
  d(s, flushed(s, [&] { return approx::rcp(in(s, 1)); }));
}
void run_sqrt_approx_f32(Step& s) { d(s, std::sqrt(in(s, 1))); }
void run_rsqrt_approx_f32(Step& s) {
  d(s, flushed(s, [&] { return approx::rsqrt(in(s, 1)); }));
}
void run_sin_approx_f32(Step& s) {
  d(s, flushed(s, [&] { return approx::sin(in(s, 1)); }));
}
void run_cos_approx_f32(Step& s) {
  d(s, flushed(s, [&] { return approx::cos(in(s, 1)); }));
}
void run_lg2_approx_f32(Step& s) {
  d(s, flushed(s, [&] { return approx::lg2(in(s, 1)); }));
}
void run_ex2_approx_f32(Step& s) {
  d(s, flushed(s, [&] { return approx::ex2(in(s, 1)); }));
}
void run_tanh_approx_f32(Step& s) {
  d(s, flushed(s, [&] { return approx::tanh(in(s, 1)); }));
}

namespace {

// The .approx forms of f64 see the upper half of the operand and make the upper half of the result
// (9.7.3.13).
double upper_half(double value) { return double_of(bits_of(value) & ~Bits{0xffffffff}); }

}  // namespace

// Of a NaN it is the NaN whose upper half is f32's.
void run_rcp_approx_f64(Step& s) {
  double a = upper_half(flush(s.f64(1)));
  s.d(std::isnan(a) ? double_of(Bits{kNanF32} << 32) : upper_half(flush(1.0 / a)));
}
void run_rsqrt_approx_f64(Step& s) {
  if (!s.has(Mod::Ftz)) return s.d(1.0 / std::sqrt(s.f64(1)));
  s.d(upper_half(1.0 / std::sqrt(upper_half(flush(s.f64(1))))));
}

// --- signs and classes ---

// a's sign on b's magnitude (9.7.3.2); the bits of a NaN included.
void run_copysign(Step& s) {
  Bits sign = Bits{1} << (s.bits() - 1);
  s.d((s.bits_in(1, s.type()) & sign) | (s.bits_in(2, s.type()) & ~sign), s.type());
}

void run_testp(Step& s) {
  int cls = s.type() == Type::F32 ? std::fpclassify(s.f32(1)) : std::fpclassify(s.f64(1));
  bool result = false;
  if (s.has(Mod::Finite))
    result = cls != FP_INFINITE && cls != FP_NAN;
  else if (s.has(Mod::Infinite))
    result = cls == FP_INFINITE;
  else if (s.has(Mod::Number))
    result = cls != FP_NAN;
  else if (s.has(Mod::NotANumber))
    result = cls == FP_NAN;
  else if (s.has(Mod::Normal))
    result = cls == FP_NORMAL || cls == FP_ZERO;  // zeros count as normal (9.7.3.1)
  else
    result = cls == FP_SUBNORMAL;
  s.d(Bits{result}, Type::Pred);
}

}  // namespace warpwise::exec::interpreter
