// Conversions that round by random bits (PTX ISA 9.7.9.21, cvt.rs).
//
// The number is cut to the format, and n random bits are added to the upper n bits of what was cut; a carry makes the
// magnitude one step larger. So a number that lies a quarter of the way to its neighbour becomes the neighbour in a
// quarter of all cases. n and where the bits stand in the 32-bit operand `rbits` are the manual's (its figures 38 to
// 41):
//
//   f16x2                13 bits: 28-16 for a, 12-0 for b
//   bf16x2               16 bits: 31-16 for a, 15-0 for b
//   e4m3x4 ... e3m2x4    16 bits: 31-16 for a and for b, 15-0 for e and for f
//   e2m1x4                8 bits: 31-24 for a, 15-8 for b, 23-16 for e, 7-0 for f
//
// For e2m1x4 the manual names the bytes of a pair, but not which number takes which: here, the first takes the upper
// half's.
#include "numerics/formats.h"
#include "simt/lower/dispatch.h"

namespace warpwise::simt {

using numerics::Element;
using ptx::Mod;
using ptx::Type;

namespace {

// The magnitude of a float, cut and stepped, as the format's bits without a sign; above the largest where there is
// none.
//
// Numbers that are normal there: the random bits are added to the float's own, and the carry runs into the exponent,
// whose bias changes. Smaller ones are counted in units of 2^-n of the smallest subnormal number, which are integers
// below 2^23.
Value step_by_chance(Emit& e, Value magnitude, Value random, unsigned n, Element element) {
  const numerics::Format format = numerics::format_of(element);
  const int cut = 23 - format.fraction_bits, bias = (1 << (format.exponent_bits - 1)) - 1;
  Value stepped = (magnitude + (random << (cut - n))) >> cut;
  Value normal = stepped - (static_cast<uint32_t>(127 - bias) << format.fraction_bits);
  if (format.exponent_bits == 8) return normal;  // of bf16 they are the same
  const float units =
      static_cast<float>(__builtin_ldexp(1.0, static_cast<int>(n) + format.fraction_bits - format.lowest_exponent()));
  const uint32_t first_normal = static_cast<uint32_t>(127 + format.lowest_exponent()) << 23;
  Value is_small = magnitude < first_normal;
  Value counted = to_i32(float_of(select(is_small, magnitude, 0u)) * units);
  return select(is_small, (counted + random) >> n, normal);
}

Value round_by_chance(Emit& e, Value f, Value random, unsigned n, Element element) {
  const numerics::Format format = numerics::format_of(element);
  const unsigned sign_at = format.exponent_bits + format.fraction_bits;
  Value bits = bits_of(f);
  uint32_t most = numerics::encode(element, 1e300, numerics::Rounding::Nearest, e.has(Mod::SatFinite));
  Value rounded = umin(step_by_chance(e, bits & 0x7fffffffu, random, n, element), e.i32(most));
  rounded = rounded | ((bits >> 31) << sign_at);
  if (e.has(Mod::Relu)) rounded = select((bits >> 31) != 0, 0u, rounded);
  return select(is_nan(f), numerics::encode(element, __builtin_nan(""), numerics::Rounding::Nearest, true), rounded);
}

// Four numbers, the first uppermost; `chance` and `width` of them in bits.
struct Chance {
  unsigned at, bits;
};
void out_four(Emit& e, Element element, unsigned width, const Chance (&chances)[4]) {
  Value random = e.b(Type::B32), result = e.i32(0);
  for (unsigned k = 0; k < 4; ++k) {
    Value own = (random >> chances[k].at) & ((1u << chances[k].bits) - 1);
    Value f = e.in(e.operand(1).elements[k], Type::F32);
    result = (result << width) | round_by_chance(e, f, own, chances[k].bits, element);
  }
  e.d(trunc(result, 4 * width));
}

}  // namespace

void lower_cvt_rs_x2_f32(Emit& e) {
  const bool is_half = e.type() == Type::F16x2;
  const Element element = is_half ? Element::F16 : Element::BF16;
  const unsigned n = is_half ? 13 : 16;
  Value random = e.in(3, Type::B32), mask = e.i32((1u << n) - 1);
  Value high = round_by_chance(e, e.a(Type::F32), (random >> 16) & mask, n, element);
  Value low = round_by_chance(e, e.b(Type::F32), random & mask, n, element);
  e.d((high << 16) | low);
}

void lower_cvt_rs_x4_f32(Emit& e) {
  Element element = Element::E3M2;
  if (e.type() == Type::E4M3x4) element = Element::E4M3;
  if (e.type() == Type::E5M2x4) element = Element::E5M2;
  if (e.type() == Type::E2M3x4) element = Element::E2M3;
  out_four(e, element, 8, {{16, 16}, {16, 16}, {0, 16}, {0, 16}});
}
void lower_cvt_rs_f4x4_f32(Emit& e) { out_four(e, Element::E2M1, 4, {{24, 8}, {8, 8}, {16, 8}, {0, 8}}); }

}  // namespace warpwise::simt
