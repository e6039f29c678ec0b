#include "numerics/formats.h"

#include <bit>
#include <cmath>
#include <limits>

namespace warpwise::numerics {
namespace {

// The encoding of the largest finite number, without its sign.
uint32_t largest_of(Element element) {
  const Format f = format_of(element);
  if (element == Element::E4M3) return 0x7e;
  const uint32_t all = (1u << (f.exponent_bits + f.fraction_bits)) - 1;
  return f.infinity ? all - (1u << f.fraction_bits) : all;
}

uint32_t infinity_of(Element element) {
  const Format f = format_of(element);
  if (element == Element::E4M3) return 0x7f;  // NaN: the format has nothing else beyond 448
  return f.infinity ? ((1u << f.exponent_bits) - 1) << f.fraction_bits : largest_of(element);
}

uint32_t nan_of(Element element) {
  const Format f = format_of(element);
  if (f.infinity || element == Element::E4M3) return (1u << (f.exponent_bits + f.fraction_bits)) - 1;
  return largest_of(element);
}

// The exponent of a normal float. With ldexp most of the decoding time would go there.
float power_of_two(int exponent) { return std::bit_cast<float>(static_cast<uint32_t>(exponent + 127) << 23); }

}  // namespace

float decode(Element element, uint32_t bits) {
  if (element == Element::BF16) return std::bit_cast<float>(bits << 16);
  if (element == Element::TF32) return std::bit_cast<float>(bits & ~0x1fffu);
  const Format f = format_of(element);
  const int bias = (1 << (f.exponent_bits - 1)) - 1;
  const uint32_t exponent = bits >> f.fraction_bits & ((1u << f.exponent_bits) - 1);
  const uint32_t fraction = bits & ((1u << f.fraction_bits) - 1);
  const bool negative = bits >> (f.exponent_bits + f.fraction_bits) & 1;
  float value;
  if (f.infinity && exponent == (1u << f.exponent_bits) - 1) {
    value = fraction ? std::numeric_limits<float>::quiet_NaN() : std::numeric_limits<float>::infinity();
  } else if (element == Element::E4M3 && (bits & 0x7f) == 0x7f) {
    value = std::numeric_limits<float>::quiet_NaN();
  } else if (exponent == 0) {
    value = static_cast<float>(fraction) * power_of_two(1 - bias - f.fraction_bits);
  } else {
    value = static_cast<float>(fraction | 1u << f.fraction_bits) *
            power_of_two(static_cast<int>(exponent) - bias - f.fraction_bits);
  }
  return negative ? -value : value;
}

uint32_t encode(Element element, double value, Rounding rounding, bool saturate) {
  const Format f = format_of(element);
  if (std::isnan(value)) return nan_of(element);
  const uint32_t sign = std::signbit(value) ? 1u << (f.exponent_bits + f.fraction_bits) : 0;
  const double magnitude = std::fabs(value);
  const uint32_t largest = largest_of(element);
  if (std::isinf(magnitude)) return sign | (saturate ? largest : infinity_of(element));
  if (magnitude == 0) return sign;
  int exponent = std::ilogb(magnitude);
  if (exponent < f.lowest_exponent()) exponent = f.lowest_exponent();
  // In units of the last place: the encoding counts them from the first exponent on, carries included.
  const double scaled = std::ldexp(magnitude, f.fraction_bits - exponent);
  double kept = std::floor(scaled);
  if (rounding == Rounding::Nearest) {
    const double rest = scaled - kept;
    if (rest > 0.5 || (rest == 0.5 && std::fmod(kept, 2) != 0)) kept += 1;
  }
  const double encoding = kept + std::ldexp(exponent - f.lowest_exponent(), f.fraction_bits);
  if (encoding > largest) return sign | (saturate || rounding == Rounding::Zero ? largest : infinity_of(element));
  return sign | static_cast<uint32_t>(encoding);
}

}  // namespace warpwise::numerics
