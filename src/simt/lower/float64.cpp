// Double-precision arithmetic (PTX ISA 9.7.3) and the instructions that f32 and f64 share.
//
// Directed roundings call the engine (ww.*.f64): rare, and no wider type helps.
#include "simt/lower/dispatch.h"
#include "simt/lower/min_max.h"
#include "simt/lower/support/rounding.h"

namespace warpwise::simt {

using ptx::Mod;
using ptx::Type;

namespace {

// The instruction's rounding, by the number that the calls use.
Value code(Emit& e, Round round) { return e.i32(directed_code(round)); }

}  // namespace

void lower_add_f64(Emit& e) {
  Round round = rounding_of(e);
  e.d(round == Round::Nearest ? e.a() + e.b() : e.call(Dialect::AddF64, e.a(), e.b(), code(e, round)));
}
void lower_sub_f64(Emit& e) {
  Round round = rounding_of(e);
  // A NaN that is subtracted keeps its sign.
  e.d(round == Round::Nearest ? e.a() - e.b() : e.call(Dialect::AddF64, e.a(), e.escape(-e.b()), code(e, round)));
}
void lower_mul_f64(Emit& e) {
  Round round = rounding_of(e);
  e.d(round == Round::Nearest ? e.a() * e.b() : e.call(Dialect::MulF64, e.a(), e.b(), code(e, round)));
}
void lower_fma_f64(Emit& e) {
  Round round = rounding_of(e);
  if (round == Round::Nearest) return e.d(fma(e.a(), e.b(), e.c()));
  e.d(e.call(Dialect::FmaF64, e.a(), e.b(), e.c(), code(e, round)));
}
void lower_mad_f64(Emit& e) { lower_fma_f64(e); }
void lower_div_f64(Emit& e) {
  Round round = rounding_of(e);
  e.d(round == Round::Nearest ? e.a() / e.b() : e.call(Dialect::DivF64, e.a(), e.b(), code(e, round)));
}
void lower_rcp_f64(Emit& e) {
  Round round = rounding_of(e);
  e.d(round == Round::Nearest ? 1.0 / e.a() : e.call(Dialect::DivF64, e.f64(1), e.a(), code(e, round)));
}
void lower_sqrt_f64(Emit& e) {
  Round round = rounding_of(e);
  e.d(round == Round::Nearest ? sqrt(e.a()) : e.call(Dialect::SqrtF64, e.a(), code(e, round)));
}

void lower_abs_f64(Emit& e) { e.d(abs(e.a())); }
void lower_neg_f64(Emit& e) { e.d(-e.a()); }
void lower_min_f64(Emit& e) { e.d(min_max(e, e.a(), e.b(), false)); }
void lower_max_f64(Emit& e) { e.d(min_max(e, e.a(), e.b(), true)); }

namespace {

// Subnormal doubles become zeros of their sign.
Value flush64(Value v) { return select(abs(v) < 0x1p-1022, copysign(v.like(0), v), v); }

// The .approx forms read the upper half of the operand and compute the upper half of the result (9.7.3.13).
Value upper_half(Value v) { return double_of(bits_of(v) & ~uint64_t{0xffffffff}); }

}  // namespace

// For a NaN, the result is the NaN whose upper half is that of f32's NaN.
void lower_rcp_approx_f64(Emit& e) {
  Value a = upper_half(flush64(e.a()));
  Value nan = double_of(e.i64(uint64_t{0x7fffffff} << 32));
  e.d(select(is_nan(a), nan, upper_half(flush64(1.0 / a))));
}
void lower_rsqrt_approx_f64(Emit& e) {
  if (!e.has(Mod::Ftz)) return e.d(1.0 / sqrt(e.a()));
  e.d(upper_half(1.0 / sqrt(upper_half(flush64(e.a())))));
}

// copysign: a's sign, a NaN's too, on b's magnitude (9.7.3.2). It moves bits: the sign stays when b is a NaN.
void lower_copysign(Emit& e) {
  const Value sign = e.bits(e.a()), magnitude = e.bits(e.b());
  const Value top = sign.like(1) << (sign.bits() - 1);
  e.d(as_type((magnitude & ~top) | (sign & top), e.b().type()));
}

void lower_testp(Emit& e) {
  Value a = e.a(), magnitude = abs(a);
  Value infinity = a.with(llvm::ConstantFP::getInfinity(a.type()));
  Value smallest = a.like(e.type() == Type::F32 ? 0x1p-126 : 0x1p-1022);
  if (e.has(Mod::Finite)) return e.d(magnitude < infinity);
  if (e.has(Mod::Infinite)) return e.d(magnitude == infinity);
  if (e.has(Mod::Number)) return e.d(!is_nan(a));
  if (e.has(Mod::NotANumber)) return e.d(is_nan(a));
  // Zeros count as normal numbers.
  if (e.has(Mod::Normal)) return e.d(((magnitude >= smallest) & (magnitude < infinity)) | (magnitude == 0));
  return e.d((magnitude < smallest) & (magnitude > 0));
}

}  // namespace warpwise::simt
