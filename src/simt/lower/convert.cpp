// Conversions (PTX ISA 9.7.9.21, cvt; 9.7.9.22, cvt.pack).
#include "simt/lower/dispatch.h"
#include "simt/lower/support/rounding.h"

namespace warpwise::simt {

using ptx::Mod;
using ptx::Type;

namespace {

llvm::APInt highest(unsigned bits, bool is_signed) {
  return is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
}
Value constant(Value like, const llvm::APInt& number) { return like.with(llvm::ConstantInt::get(like.type(), number)); }

// v, clamped in its own width to what `bits` can hold.
Value clamp(Value v, bool from_signed, unsigned bits, bool to_signed) {
  unsigned width = v.bits();
  if (!from_signed) {
    bool fits = width < bits || (width == bits && !to_signed);
    return fits ? v : umin(v, constant(v, highest(bits, to_signed).zext(width)));
  }
  if (!to_signed) {
    v = smax(v, v.like(0));
    return width <= bits ? v : umin(v, constant(v, highest(bits, false).zext(width)));
  }
  if (width <= bits) return v;
  return smax(smin(v, constant(v, highest(bits, true).sext(width))),
              constant(v, llvm::APInt::getSignedMinValue(bits).sext(width)));
}

Value round_to_integer(Value f, Round round) {
  switch (round) {
    case Round::Nearest:
      return round_even(f);
    case Round::Zero:
      return round_to_zero(f);
    case Round::Down:
      return floor(f);
    case Round::Up:
      return ceil(f);
  }
  llvm_unreachable("all roundings are listed");
}

// f, rounded and clamped to an integer type. NaN gives 0, but where a 64-bit type takes part (as the
// source, or the destination) the lowest signed number of the destination's width: 9.7.9.21, notes on NaN.
Value float_to_int(Value f, Type type, Round round) {
  unsigned bits = ptx::bits_of(type);
  bool is_signed = ptx::is_signed(type);
  f = round_to_integer(f, round);
  double end = __builtin_ldexp(1.0, is_signed ? bits - 1 : bits);  // the first number that is too large
  double begin = is_signed ? -end : 0;
  Value in_range = (f >= begin) & (f < end);
  Value safe = select(in_range, f, 0);  // LLVM's conversion of others is poison
  llvm::Type* wide = f.builder().getIntNTy(bits < 32 ? 32 : bits);
  Value i = f.with(is_signed ? f.builder().CreateFPToSI(safe.get(), wide) : f.builder().CreateFPToUI(safe.get(), wide));
  i = trunc(i, bits);
  bool wide_type = f.type()->isDoubleTy() || bits == 64;
  Value of_nan = constant(i, wide_type ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt(bits, 0));
  Value lowest = constant(i, is_signed ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt(bits, 0));
  Value outside = select(f < 0, lowest, select(is_nan(f), of_nan, constant(i, highest(bits, is_signed))));
  return select(in_range, i, outside);
}

// Operand 1, a float: flushed with .ftz.
Value f32_in(Emit& e, unsigned index = 1) {
  Value v = e.in(index, Type::F32);
  return e.has(Mod::Ftz) ? flush(v) : v;
}
Value f16_in(Emit& e) { return to_float(e.a(Type::F16)); }
Value bf16_in(Emit& e) { return bf16_to_float(e.a(Type::BF16)); }

void to_int(Emit& e, Value f) {
  Type type = e.type(0);
  e.d(float_to_int(f, type, rounding_of(e)), ptx::is_signed(type));
}

Value int_in(Emit& e) { return e.a(e.type(1)); }
Exact exact_int_in(Emit& e) { return exact_integer(int_in(e), ptx::is_signed(e.type(1))); }
Value nearest_int(Emit& e, llvm::Type* type) {
  return ptx::is_signed(e.type(1)) ? signed_to(int_in(e), type) : unsigned_to(int_in(e), type);
}

void d(Emit& e, Value v) { e.d(e.has(Mod::Sat) ? saturate(v) : v); }
void d_f32(Emit& e, Value v) { d(e, e.has(Mod::Ftz) ? flush(v) : v); }

bool rounds_to_integer(const Emit& e) {
  return e.has(Mod::Rni) || e.has(Mod::Rzi) || e.has(Mod::Rmi) || e.has(Mod::Rpi);
}
Value maybe_round(Emit& e, Value f) { return rounds_to_integer(e) ? round_to_integer(f, rounding_of(e)) : f; }

Value relu(Emit& e, Value f) { return e.has(Mod::Relu) ? select((f > 0) | is_nan(f), f, 0) : f; }

// .satfinite: infinities become the largest number.
Value finite_half(Emit& e, Value half) {
  if (!e.has(Mod::SatFinite)) return half;
  Value f = to_float(half);
  return select(abs(f) == f.with(llvm::ConstantFP::getInfinity(f.type())), to_half(copysign(f.like(65504), f)), half);
}
Value finite_bf16(Emit& e, Value bits) {
  return e.has(Mod::SatFinite) ? select((bits & 0x7fff) == 0x7f80, (bits & 0x8000) | 0x7f7f, bits) : bits;
}

Value f16_of(Emit& e, Value f) { return finite_half(e, round_half(relu(e, f), rounding_of(e))); }
Value bf16_of(Emit& e, Value f) { return finite_bf16(e, round_bf16(relu(e, f), rounding_of(e))); }

// A NaN of f64 in 16 bits: quiet, with its sign and the upper bits of its payload.
Value narrowed_nan(Value nan, uint32_t quiet, unsigned shift) {
  Value bits = bits_of(nan);
  return trunc(((bits >> 48) & 0x8000) | ((bits >> shift) & 0x7fff) | quiet, 16);
}

Value packed(Value high, Value low) { return (zext(high, 32) << 16) | zext(low, 32); }

}  // namespace

void lower_cvt_int_int(Emit& e) {
  Type to = e.type(0), from = e.type(1);
  Value v = e.a(from);
  if (e.has(Mod::Sat)) v = clamp(v, ptx::is_signed(from), ptx::bits_of(to), ptx::is_signed(to));
  e.d(extend(v, ptx::bits_of(to), ptx::is_signed(from)), ptx::is_signed(to));
}

void lower_cvt_int_f16(Emit& e) { to_int(e, f16_in(e)); }
void lower_cvt_int_bf16(Emit& e) { to_int(e, bf16_in(e)); }
void lower_cvt_int8_bf16(Emit& e) { to_int(e, bf16_in(e)); }
void lower_cvt_int_f32(Emit& e) { to_int(e, f32_in(e)); }
void lower_cvt_int_f64(Emit& e) { to_int(e, e.a(Type::F64)); }

void lower_cvt_f32_int(Emit& e) {
  Round round = rounding_of(e);
  d(e, round == Round::Nearest ? nearest_int(e, e.ir.getFloatTy()) : round_f32(exact_int_in(e), round));
}
void lower_cvt_f64_int(Emit& e) {
  Round round = rounding_of(e);
  d(e, round == Round::Nearest ? nearest_int(e, e.ir.getDoubleTy()) : round_f64(exact_int_in(e), round));
}
void lower_cvt_f16_int(Emit& e) { d(e, round_half(to_odd(exact_int_in(e)), rounding_of(e))); }
void lower_cvt_bf16_int(Emit& e) { e.d(round_bf16(to_odd(exact_int_in(e)), rounding_of(e))); }
void lower_cvt_bf16_int8(Emit& e) { e.d(round_bf16(to_odd(exact_int_in(e)), rounding_of(e))); }

// For the wide types this is a move, which keeps a NaN as it is, unless the number is changed. The 16-bit types replace
// any NaN by their own, as an H200 does.
void lower_cvt_f32_f32(Emit& e) {
  Value v = maybe_round(e, f32_in(e));
  d_f32(e, e.has(Mod::Ftz) ? select(is_nan(v), nan_like(v), v) : v);
}
void lower_cvt_f64_f64(Emit& e) { d(e, maybe_round(e, e.a(Type::F64))); }
void lower_cvt_f16_f16(Emit& e) {
  if (rounds_to_integer(e)) return d(e, to_half(maybe_round(e, f16_in(e))));
  Value a = e.a(Type::F16);
  // LLVM would treat extending and then truncating it as a move.
  d(e, half_of(select(is_nan(to_float(a)), 0x7fff, bits_of(a))));
}
void lower_cvt_bf16_bf16(Emit& e) { e.d(round_bf16(maybe_round(e, bf16_in(e)), Round::Nearest)); }

// An extension is exact. From bf16 to f32 it moves the bits, those of a NaN too. f64 has no NaN of its own: it keeps
// sign and payload of the source.
void lower_cvt_f32_f16(Emit& e) { d(e, f16_in(e)); }
void lower_cvt_f64_f16(Emit& e) { d(e, to_double(to_float(e.escape(e.a(Type::F16))))); }
void lower_cvt_f64_f32(Emit& e) { d(e, to_double(e.escape(f32_in(e)))); }
void lower_cvt_f32_bf16(Emit& e) { d(e, bf16_in(e)); }
void lower_cvt_f64_bf16(Emit& e) { d(e, to_double(bf16_in(e))); }

// A NaN keeps its sign and what fits of its payload; the host's conversion does that.
void lower_cvt_f32_f64(Emit& e) {
  Value a = e.escape(e.a(Type::F64));
  Round round = rounding_of(e);
  d_f32(e, round == Round::Nearest ? to_float(a) : select(is_nan(a), to_float(a), round_f32(exactly(a), round)));
}
void lower_cvt_f16_f32(Emit& e) { d(e, f16_of(e, f32_in(e))); }
void lower_cvt_relu_f16_f32(Emit& e) { e.d(f16_of(e, f32_in(e))); }
void lower_cvt_satfinite_f16_f32(Emit& e) { e.d(f16_of(e, f32_in(e))); }
void lower_cvt_f16_f64(Emit& e) {
  Value a = e.a(Type::F64), bits = bits_of(f16_of(e, to_odd(exactly(a))));
  d(e, half_of(select(is_nan(a), narrowed_nan(e.escape(a), 0x7e00, 42), bits)));
}
void lower_cvt_f16_bf16(Emit& e) { e.d(f16_of(e, bf16_in(e))); }
void lower_cvt_bf16_f16(Emit& e) { e.d(bf16_of(e, f16_in(e))); }
void lower_cvt_bf16_f32(Emit& e) { e.d(bf16_of(e, f32_in(e))); }
void lower_cvt_bf16_f64(Emit& e) {
  Value a = e.a(Type::F64), bits = bf16_of(e, to_odd(exactly(a)));
  e.d(select(is_nan(a), narrowed_nan(e.escape(a), 0x7fc0, 45), bits));
}

// The first source becomes the upper half.
void lower_cvt_f16x2_f32(Emit& e) {
  Value high = f16_of(e, f32_in(e, 1)), low = f16_of(e, f32_in(e, 2));
  e.d(packed(e.bits(high), e.bits(low)));
}
void lower_cvt_bf16x2_f32(Emit& e) {
  Value high = bf16_of(e, f32_in(e, 1)), low = bf16_of(e, f32_in(e, 2));
  e.d(packed(high, low));
}

namespace {

// tf32 is a float whose low 13 bits are zero, so the conversion adds the rounding and cuts. Of a NaN, .rna cuts
// the bits and the others make the format's own, as an H200 shows.
void to_tf32(Emit& e, Value f, Value rounding) {
  Value bits = (bits_of(f) + rounding) & ~0x1fffu;
  if (e.has(Mod::SatFinite)) bits = select((bits & 0x7fffffff) == 0x7f800000, (bits & 0x80000000u) | 0x7f7fe000, bits);
  bool cuts = e.has(Mod::Rna) && !e.has(Mod::SatFinite);
  e.d(select(is_nan(f), cuts ? e.bits(f) & ~0x1fffu : bits.like(0x7fffe000), bits));
}

}  // namespace

// Ties away from zero: half of the cut part's range is added to the magnitude.
void lower_cvt_tf32_f32(Emit& e) { to_tf32(e, e.a(Type::F32), e.i32(0x1000)); }
void lower_cvt_tf32_f32_rn(Emit& e) {
  Value f = relu(e, e.a(Type::F32));
  Value even = ((bits_of(f) >> 13) & 1) + 0xfff;
  to_tf32(e, f, rounding_of(e) == Round::Zero ? e.i32(0) : even);
}
void lower_cvt_tf32_f32_satfinite(Emit& e) { lower_cvt_tf32_f32_rn(e); }

void lower_cvt_pack_16(Emit& e) {
  bool is_signed = e.type(0) == Type::S16;
  Value high = clamp(e.a(Type::S32), true, 16, is_signed), low = clamp(e.b(Type::S32), true, 16, is_signed);
  e.d((high << 16) | (low & 0xffff));
}

// The two small numbers go below the bits of c: d = c << 2n | a << n | b.
void lower_cvt_pack_8(Emit& e) {
  unsigned bits = 8;
  if (e.has(Mod::U4) || e.has(Mod::S4)) bits = 4;
  if (e.has(Mod::U2) || e.has(Mod::S2)) bits = 2;
  bool is_signed = e.has(Mod::S8) || e.has(Mod::S4) || e.has(Mod::S2);
  uint32_t mask = (1u << bits) - 1;
  Value high = clamp(e.a(Type::S32), true, bits, is_signed) & mask;
  Value low = clamp(e.b(Type::S32), true, bits, is_signed) & mask;
  e.d((e.c(Type::B32) << (2 * bits)) | (high << bits) | low);
}

}  // namespace warpwise::simt
