// Conversions that round by random bits (PTX ISA 9.7.9.21, cvt.rs): lower/stochastic.cpp says which bits and how.
#include "exec/interpreter/dispatch.h"
#include "numerics/formats.h"

namespace warpwise::exec::interpreter {

using numerics::Element;
using ptx::Mod;
using ptx::Type;

namespace {

// The value's multiple of the last place below or above, by chance: above when the random bits and the first `n` bits
// of what is cut make a carry.
uint32_t round_by_chance(Step& s, Element element, double value, uint32_t random, unsigned n) {
  const numerics::Format format = numerics::format_of(element);
  const bool saturate = s.has(Mod::SatFinite);
  if (s.has(Mod::Relu) && !(value > 0) && !std::isnan(value)) value = 0;
  if (value != 0 && std::isfinite(value)) {
    const int exponent = std::max(std::ilogb(value), format.lowest_exponent()) - format.fraction_bits;
    const double places = std::ldexp(std::fabs(value), -exponent), kept = std::floor(places);
    const double cut = std::floor(std::ldexp(places - kept, static_cast<int>(n)));
    const bool carry = cut + random >= std::ldexp(1.0, static_cast<int>(n));
    value = std::copysign(std::ldexp(kept + carry, exponent), value);
  }
  return numerics::encode(element, value, numerics::Rounding::Nearest,
                          saturate);  // exact by now, but for what is too large
}

uint32_t random_bits(Step& s, unsigned operand, unsigned at, unsigned n) {
  return s.u32(operand) >> at & ((1u << n) - 1);
}

struct Chance {
  unsigned at, bits;
};
void out_four(Step& s, Element element, unsigned width, const Chance (&chances)[4]) {
  uint32_t result = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const float value = float_of(s.bits_in(s.operand(1).elements[k], Type::F32));
    result = result << width |
             round_by_chance(s, element, value, random_bits(s, 2, chances[k].at, chances[k].bits), chances[k].bits);
  }
  s.d(Bits{result}, width == 4 ? Type::B16 : Type::B32);
}

}  // namespace

void run_cvt_rs_x2_f32(Step& s) {
  const bool is_half = s.type() == Type::F16x2;
  const Element element = is_half ? Element::F16 : Element::BF16;
  const unsigned n = is_half ? 13 : 16;
  const uint32_t high = round_by_chance(s, element, s.f32(1), random_bits(s, 3, 16, n), n);
  const uint32_t low = round_by_chance(s, element, s.f32(2), random_bits(s, 3, 0, n), n);
  s.d(Bits{high << 16 | low}, Type::B32);
}

void run_cvt_rs_x4_f32(Step& s) {
  Element element = Element::E3M2;
  if (s.type() == Type::E4M3x4) element = Element::E4M3;
  if (s.type() == Type::E5M2x4) element = Element::E5M2;
  if (s.type() == Type::E2M3x4) element = Element::E2M3;
  out_four(s, element, 8, {{16, 16}, {16, 16}, {0, 16}, {0, 16}});
}
void run_cvt_rs_f4x4_f32(Step& s) { out_four(s, Element::E2M1, 4, {{24, 8}, {8, 8}, {16, 8}, {0, 8}}); }

}  // namespace warpwise::exec::interpreter
