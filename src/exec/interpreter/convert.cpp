// Conversions (PTX ISA 9.7.9.21, cvt; 9.7.9.22, cvt.pack). Every number becomes a double or an integer
// exactly, and is rounded once to what it is to be.
#include "exec/interpreter/choices.h"
#include "exec/interpreter/dispatch.h"
#include "exec/interpreter/floating.h"
#include "numerics/formats.h"

namespace warpwise::exec::interpreter {

using ptx::Mod;
using ptx::Type;

namespace {

double round_to_integer(double value, Round round) {
  switch (round) {
    case Round::Zero:
      return std::trunc(value);
    case Round::Down:
      return std::floor(value);
    case Round::Up:
      return std::ceil(value);
    default:
      return std::nearbyint(value);  // ties to even, the host's standing mode
  }
}

bool rounds_to_integer(const Step& s) {
  return s.has(Mod::Rni) || s.has(Mod::Rzi) || s.has(Mod::Rmi) || s.has(Mod::Rpi);
}

// Operand 1 (or another) as a double, .ftz applied.
double source(Step& s, Type type, unsigned index = 1) {
  switch (type) {
    case Type::F64:
      return s.f64(index);
    case Type::F32:
      return s.has(Mod::Ftz) ? flush(s.f32(index)) : s.f32(index);
    default:
      return read(format_of(type), static_cast<uint64_t>(s.bits_in(index, type)));
  }
}

// To an integer: rounded, then clamped. NaN gives 0, but where f64 or a 64-bit integer takes part the lowest
// signed number of the destination's width.
void to_int(Step& s) {
  Type to = s.type(0), from = s.type(1);
  unsigned bits = ptx::bits_of(to);
  double value = round_to_integer(source(s, from), s.rounding());
  Range range = range_of(to);
  Number result;
  if (std::isnan(value)) {
    result = from == Type::F64 || bits == 64 ? Number{1} << (bits - 1) : 0;
  } else if (std::fabs(value) >= 0x1p65) {
    result = value < 0 ? range.lowest : range.highest;
  } else {
    result = clamp(static_cast<Number>(value), range);
  }
  s.d(static_cast<Bits>(result), to, true);
}

// The largest finite number instead of an infinity.
uint64_t finite(Format format, uint64_t bits) {
  uint64_t sign = uint64_t{1} << (format.bits() - 1);
  return (bits & ~sign) == format.infinity() ? (bits & sign) | format.largest() : bits;
}

// What .relu, the rounding, .satfinite, .ftz and .sat make of a number, as bits of the destination's type.
uint64_t to_float(Step& s, Type to, double value) {
  Format format = format_of(to);
  if (s.has(Mod::Relu) && !(value > 0) && !std::isnan(value)) value = 0;
  uint64_t bits = round_to(format, value, rounds_to_integer(s) ? Round::Nearest : s.rounding());
  if (s.has(Mod::SatFinite)) bits = finite(format, bits);
  if (s.has(Mod::Ftz) && to == Type::F32) bits = static_cast<uint64_t>(bits_of(flush(float_of(bits))));
  if (s.has(Mod::Sat)) bits = round_to(format, saturate(read(format, bits)), Round::Nearest);
  return bits;
}

// A NaN of f64 in a smaller format: quiet, with its sign and the upper bits of its payload.
uint64_t narrowed_nan(Format format, double nan) {
  uint64_t bits = static_cast<uint64_t>(bits_of(quiet(nan)));
  uint64_t fraction = bits >> (52 - format.fraction_bits) & ((uint64_t{1} << format.fraction_bits) - 1);
  return (bits >> 63) << (format.bits() - 1) | format.infinity() | fraction;
}

// From float to float. NaN becomes the destination's own, but f64 keeps payloads, both ways.
void convert(Step& s) {
  Type to = s.type(0), from = s.type(1);
  double value = source(s, from);
  if (rounds_to_integer(s)) value = round_to_integer(value, s.rounding());
  if (to == Type::F64) return s.d(s.has(Mod::Sat) ? saturate(value) : value);
  if (from == Type::F64 && std::isnan(value) && !s.has(Mod::Sat))
    return s.d(Bits{narrowed_nan(format_of(to), value)}, to);
  s.d(to_float(s, to, value), to);
}

void from_int(Step& s) {
  Type to = s.type(0);
  uint64_t bits = round_to(format_of(to), exactly(s.in(1, s.type(1))), s.rounding());
  if (s.has(Mod::Sat)) bits = round_to(format_of(to), saturate(read(format_of(to), bits)), Round::Nearest);
  s.d(bits, to);
}

// Two numbers into one register; the first source becomes the upper half.
void pair(Step& s) {
  uint64_t high = to_float(s, s.type(0), source(s, Type::F32, 1)),
           low = to_float(s, s.type(0), source(s, Type::F32, 2));
  s.d(Bits{high << 16 | low}, Type::B32);
}

// tf32 is a float whose low 13 bits are zero.
void to_tf32(Step& s) {
  double value = s.f32(1);
  // .rna adds and cuts bits, whatever they mean; the others have a NaN, as an H200 shows.
  if (std::isnan(value))
    return s.d(s.has(Mod::Rna) && !s.has(Mod::SatFinite) ? s.bits_in(1, Type::B32) & ~Bits{0x1fff} : Bits{kNanTf32},
               Type::B32);
  s.d(Bits{to_float(s, Type::TF32, value)} << 13, Type::B32);
}

}  // namespace

void run_cvt_int_int(Step& s) {
  Number value = s.in(1, s.type(1));
  if (s.has(Mod::Sat)) value = clamp(value, range_of(s.type(0)));
  s.d(static_cast<Bits>(value), s.type(0), true);
}

void run_cvt_int_f16(Step& s) { to_int(s); }
void run_cvt_int_f32(Step& s) { to_int(s); }
void run_cvt_int_f64(Step& s) { to_int(s); }
void run_cvt_int_bf16(Step& s) { to_int(s); }
void run_cvt_int8_bf16(Step& s) { to_int(s); }
void run_cvt_f16_int(Step& s) { from_int(s); }
void run_cvt_f32_int(Step& s) { from_int(s); }
void run_cvt_f64_int(Step& s) { from_int(s); }
void run_cvt_bf16_int(Step& s) { from_int(s); }
void run_cvt_bf16_int8(Step& s) { from_int(s); }

void run_cvt_f16_f16(Step& s) { convert(s); }
// With nothing to round, flush or clamp a move, which a NaN survives as it is.
void run_cvt_f32_f32(Step& s) {
  if (std::isnan(s.f32(1)) && !rounds_to_integer(s) && !s.has(Mod::Ftz) && !s.has(Mod::Sat))
    return s.d(s.bits_in(1, Type::F32), Type::F32);
  convert(s);
}
void run_cvt_f64_f64(Step& s) { convert(s); }
void run_cvt_bf16_bf16(Step& s) { convert(s); }

void run_cvt_f32_f16(Step& s) { convert(s); }
void run_cvt_f64_f16(Step& s) { convert(s); }
void run_cvt_f64_f32(Step& s) { convert(s); }
// A bfloat16 is the upper half of a float, a NaN's too.
void run_cvt_f32_bf16(Step& s) { s.d(s.bits_in(1, Type::B16) << 16, Type::F32); }
void run_cvt_f64_bf16(Step& s) { convert(s); }
void run_cvt_f32_f64(Step& s) { convert(s); }
void run_cvt_f16_f32(Step& s) { convert(s); }
void run_cvt_f16_f64(Step& s) { convert(s); }
void run_cvt_relu_f16_f32(Step& s) { convert(s); }
void run_cvt_satfinite_f16_f32(Step& s) { convert(s); }
void run_cvt_f16_bf16(Step& s) { convert(s); }
void run_cvt_bf16_f16(Step& s) { convert(s); }
void run_cvt_bf16_f32(Step& s) { convert(s); }
void run_cvt_bf16_f64(Step& s) { convert(s); }
void run_cvt_f16x2_f32(Step& s) { pair(s); }
void run_cvt_bf16x2_f32(Step& s) { pair(s); }
void run_cvt_tf32_f32(Step& s) { to_tf32(s); }
void run_cvt_tf32_f32_rn(Step& s) { to_tf32(s); }
void run_cvt_tf32_f32_satfinite(Step& s) { to_tf32(s); }

// --- formats of 8 bits and fewer, two at a time ---

namespace {

numerics::Element element_of(Type type) {
  switch (type) {
    case Type::E4M3x2:
      return numerics::Element::E4M3;
    case Type::E5M2x2:
      return numerics::Element::E5M2;
    case Type::E2M3x2:
      return numerics::Element::E2M3;
    case Type::E3M2x2:
      return numerics::Element::E3M2;
    default:
      return numerics::Element::E2M1;
  }
}
// Two formats of six bits lie in a byte each, two of four bits share one.
unsigned step_of(Type type) { return type == Type::E2M1x2 ? 4 : 8; }

void to_narrow(Step& s, double high, double low) {
  const Type to = s.type(0);
  auto narrow = [&](double value) -> uint32_t {
    if (s.has(Mod::Relu) && !(value > 0) && !std::isnan(value)) value = 0;
    return encode(element_of(to), value, numerics::Rounding::Nearest, true);
  };
  const uint32_t bits = narrow(high) << step_of(to) | narrow(low);
  s.d(Bits{bits}, to == Type::E2M1x2 ? Type::B8 : Type::B16);
}

void from_narrow(Step& s) {
  const Type from = s.type(1);
  const uint32_t bits = static_cast<uint32_t>(s.bits_in(1, from == Type::E2M1x2 ? Type::B8 : Type::B16));
  auto wide = [&](uint32_t narrow) -> uint64_t {
    double value = decode(element_of(from), narrow & ((1u << step_of(from)) - 1));
    if (s.has(Mod::Relu) && !(value > 0) && !std::isnan(value)) value = 0;
    return round_to(kF16, value, Round::Nearest);
  };
  s.d(Bits{wide(bits >> step_of(from)) << 16 | wide(bits)}, Type::B32);
}

// ue8m0, the powers of two from 2^-127 on; 255 is NaN. Signs are ignored.
uint32_t scale_of(Step& s, double value) {
  if (std::isnan(value)) return 255;
  const uint32_t highest = s.has(Mod::SatFinite) ? 254 : 255;
  value = std::fabs(value);
  if (std::isinf(value)) return highest;
  if (value <= 0x1p-127) return 0;
  int exponent = std::ilogb(value);
  if (s.has(Mod::Rp) && std::ldexp(1.0, exponent) != value) ++exponent;
  return std::min(static_cast<uint32_t>(exponent + 127), highest);
}
void to_scales(Step& s, double high, double low) { s.d(Bits{scale_of(s, high) << 8 | scale_of(s, low)}, Type::B16); }

double bf16_of(Step& s, unsigned shift) {
  return read(kBf16, static_cast<uint64_t>(s.bits_in(1, Type::B32) >> shift & 0xffff));
}

double half_of(Step& s, unsigned shift) {
  return read(kF16, static_cast<uint64_t>(s.bits_in(1, Type::B32) >> shift & 0xffff));
}

}  // namespace

void run_cvt_ue8m0x2_f32(Step& s) { to_scales(s, s.f32(1), s.f32(2)); }
void run_cvt_ue8m0x2_bf16x2(Step& s) { to_scales(s, bf16_of(s, 16), bf16_of(s, 0)); }
void run_cvt_bf16x2_ue8m0x2(Step& s) {
  auto wide = [&](unsigned shift) -> uint64_t {
    const unsigned scale = static_cast<unsigned>(s.bits_in(1, Type::B16) >> shift) & 255;
    return scale == 255 ? kBf16.nan : round_to(kBf16, std::ldexp(1.0, static_cast<int>(scale) - 127), Round::Nearest);
  };
  s.d(Bits{wide(8) << 16 | wide(0)}, Type::B32);
}

void run_cvt_f8x2_f32(Step& s) { to_narrow(s, s.f32(1), s.f32(2)); }
void run_cvt_f6x2_f32(Step& s) { to_narrow(s, s.f32(1), s.f32(2)); }
void run_cvt_f4x2_f32(Step& s) { to_narrow(s, s.f32(1), s.f32(2)); }
void run_cvt_f8x2_f16x2(Step& s) { to_narrow(s, half_of(s, 16), half_of(s, 0)); }
void run_cvt_f16x2_f8x2(Step& s) { from_narrow(s); }
void run_cvt_f16x2_f6x2(Step& s) { from_narrow(s); }
void run_cvt_f16x2_f4x2(Step& s) { from_narrow(s); }

void run_cvt_pack_16(Step& s) {
  Range range = range_of(s.type(0));
  Bits high = static_cast<Bits>(clamp(s.in(1, Type::S32), range)),
       low = static_cast<Bits>(clamp(s.in(2, Type::S32), range));
  s.d(high << 16 | (low & 0xffff), Type::B32);
}

// The two small numbers go below what c brings: d = c << 2n | a << n | b.
void run_cvt_pack_8(Step& s) {
  unsigned bits = ptx::bits_of(s.type(0));
  Range range = range_of(s.type(0));
  Bits high = static_cast<Bits>(clamp(s.in(1, Type::S32), range)),
       low = static_cast<Bits>(clamp(s.in(2, Type::S32), range));
  s.d(s.bits_in(3, Type::B32) << (2 * bits) | (high & mask_of(bits)) << bits | (low & mask_of(bits)), Type::B32);
}

}  // namespace warpwise::exec::interpreter
