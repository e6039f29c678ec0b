#include "simt/lower/support/rounding.h"

namespace warpwise::simt {

using ptx::Mod;

Round rounding_of(const Emit& e) {
  if (e.has(Mod::Rz) || e.has(Mod::Rzi)) return Round::Zero;
  if (e.has(Mod::Rm) || e.has(Mod::Rmi)) return Round::Down;
  if (e.has(Mod::Rp) || e.has(Mod::Rpi)) return Round::Up;
  return Round::Nearest;
}

Exact exactly(Value s) { return {s, s.like(0)}; }

Exact exact_sum(Value a, Value b) {
  Value s = a + b;
  Value b_part = s - a;
  return {s, (a - (s - b_part)) + (b - b_part)};
}

// value - q has the sign of remainder / b.
Exact exact_quotient(Value a, Value b) {
  Value q = a / b;
  Value remainder = fma(-q, b, a);
  return {q, select(b < 0, -remainder, remainder)};
}

Exact exact_sqrt(Value a) {
  Value q = sqrt(a);
  return {q, fma(-q, q, a)};
}

// The two halves of a 64-bit integer are exact doubles.
Exact exact_integer(Value i, bool is_signed) {
  llvm::Type* f64 = i.builder().getDoubleTy();
  if (i.bits() <= 32) return exactly(is_signed ? signed_to(i, f64) : unsigned_to(i, f64));
  Value low = i & 0xffffffffu;
  Value high = i - low;
  return exact_sum(is_signed ? signed_to(high, f64) : unsigned_to(high, f64), unsigned_to(low, f64));
}

namespace {

// Where the rounded r (as a double) lies from the true value.
struct Side {
  Value below, above;
};

Side side(Value r, Exact x) { return {(r < x.s) | ((r == x.s) & (x.err > 0)), (r > x.s) | ((r == x.s) & (x.err < 0))}; }

// r's bits one step towards `round`, where r is on the wrong side.
Value step(Value bits, Side side, Round round) {
  Value negative = slt(bits, 0);
  switch (round) {
    case Round::Nearest:
      return bits;
    case Round::Zero:
      return select(select(negative, side.below, side.above), bits - 1, bits);
    case Round::Down:
      return select(side.above, select(negative, bits + 1, bits - 1), bits);
    case Round::Up:
      return select(side.below, select(negative, bits - 1, bits + 1), bits);
  }
  llvm_unreachable("all roundings are listed");
}

}  // namespace

namespace {

// For floats the bits are enough: if the rest points towards zero, the number below s is the truncated one.
Value floats_to_odd(Exact x) {
  Value bits = bits_of(x.s), lost = (x.err < 0) | (x.err > 0);
  Value rounded_up = slt(bits ^ bits_of(x.err), 0) & lost;
  return float_of((bits - zext(rounded_up, 32)) | zext(lost, 32));
}

}  // namespace

Value to_odd(Exact x) {
  if (x.s.type()->isFloatTy()) return floats_to_odd(x);
  Value r = to_float(x.s);
  Side s = side(to_double(r), x);
  Value truncated = step(bits_of(r), s, Round::Zero);
  return float_of(truncated | zext(s.below | s.above, 32));
}

Value round_f32(Exact x, Round round) {
  Value r = to_float(x.s);
  if (round == Round::Nearest) return r;
  // Through the integer bits a NaN would count as moved, not computed (emit.h): make it canonical here.
  return float_of(select(is_nan(r), 0x7fffffff, step(bits_of(r), side(to_double(r), x), round)));
}

Value round_f64(Exact x, Round round) {
  if (round == Round::Nearest) return x.s;
  return double_of(step(bits_of(x.s), {x.err > 0, x.err < 0}, round));
}

Value round_half(Value f, Round round) {
  Value r = to_half(f);
  if (round == Round::Nearest) return r;
  Value back = to_float(r);
  return half_of(select(is_nan(f), 0x7fff, step(bits_of(r), {back<f, back> f}, round)));
}

// bfloat16 is the upper half of a float: rounding is an addition of integers that may carry into the
// exponent, up to infinity, as it should.
Value round_bf16(Value f, Round round) {
  Value bits = bits_of(f);
  Value upper = bits >> 16;
  Value lost = (bits & 0xffff) != 0;
  Value negative = slt(bits, 0);
  switch (round) {
    case Round::Nearest:
      upper = (bits + (upper & 1) + 0x7fff) >> 16;
      break;
    case Round::Zero:
      break;
    case Round::Down:
      upper = upper + zext(lost & negative, 32);
      break;
    case Round::Up:
      upper = upper + zext(lost & !negative, 32);
      break;
  }
  return trunc(select(is_nan(f), 0x7fff, upper), 16);
}

Value bf16_to_float(Value bits) { return float_of(zext(bits, 32) << 16); }

// As scalar/drop_flushes.h knows it. Two vector instructions: a test of bits, and a mask that leaves the sign.
Value flush(Value v) { return select((bits_of(v) & 0x7f800000) == 0, copysign(v.like(0), v), v); }

Value saturate(Value v) { return select(v > 0, select(v < 1, v, 1), 0); }

}  // namespace warpwise::simt
