#include "numerics/dot.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace warpwise::numerics {
namespace {

constexpr int kNone = -100'000;  // the exponent of zero
constexpr unsigned kMaxGroup = 64;

// With the library's ldexp and ilogb most of a product's time would go there.
double scaled(double value, int exponent) {
  constexpr int kBias = 1023;
  return exponent > -kBias && exponent <= kBias
             ? value * std::bit_cast<double>(static_cast<uint64_t>(exponent + kBias) << 52)
             : std::ldexp(value, exponent);
}
// `value` is finite; `lowest` is that of a normal float or above it.
int exponent_of(float value, int lowest) {
  const int biased = static_cast<int>(std::bit_cast<uint32_t>(value) >> 23 & 0xff);
  return value == 0 ? kNone : std::max(biased - 127, lowest);
}

// Rounds towards zero to a float with `fraction_bits` bits of fraction; 2^128 and more is infinity.
float truncate_to_float(double value, int fraction_bits) {
  if (value == 0) return 0;
  const int exponent = std::max(std::ilogb(value), -126);
  if (exponent > 127)
    return std::copysign(std::numeric_limits<float>::infinity(), static_cast<float>(std::copysign(1.0, value)));
  const double unit = std::ldexp(1.0, exponent - fraction_bits);
  return static_cast<float>(std::trunc(value / unit) * unit);
}

float round_to_f16(double value) { return decode(Element::F16, encode(Element::F16, value, Rounding::Nearest, false)); }

// Infinities and NaNs follow IEEE 754: infinity * 0 and infinity - infinity are NaN. Returns whether there are any.
bool special(unsigned n, const float* a, const float* b, float c, float& result) {
  bool nan = std::isnan(c), up = std::isinf(c) && c > 0, down = std::isinf(c) && c < 0;
  for (unsigned i = 0; i < n; ++i) {
    if (std::isfinite(a[i]) && std::isfinite(b[i])) continue;
    if (std::isnan(a[i]) || std::isnan(b[i]) || a[i] == 0 || b[i] == 0)
      nan = true;
    else
      (std::signbit(a[i]) != std::signbit(b[i]) ? down : up) = true;
  }
  if (!nan && !up && !down) return false;
  result = nan || (up && down) ? std::numeric_limits<float>::quiet_NaN()
           : up                ? std::numeric_limits<float>::infinity()
                               : -std::numeric_limits<float>::infinity();
  return true;
}

// One step: `n` products and an accumulator, rounded once.
float add_at_once(const DotRule& rule, int a_lowest, int b_lowest, Sum sum, unsigned n, const float* a, const float* b,
                  float c) {
  float result;
  if (special(n, a, b, c, result)) return result;
  int exponent = std::max(kLowestAlignment, exponent_of(c, sum == Sum::F16 ? -14 : -126));
  for (unsigned i = 0; i < n; ++i)
    exponent = std::max(exponent, exponent_of(a[i], a_lowest) + exponent_of(b[i], b_lowest));
  auto aligned = [&](double value) { return static_cast<int64_t>(scaled(value, rule.fraction_bits - exponent)); };
  int64_t total = aligned(c);
  for (unsigned i = 0; i < n; ++i) total += aligned(static_cast<double>(a[i]) * b[i]);
  const double exact = scaled(static_cast<double>(total), exponent - rule.fraction_bits);
  const float rounded = sum == Sum::F16 ? round_to_f16(exact) : truncate_to_float(exact, rule.result_bits);
  return rounded == 0 ? 0 : rounded;  // never -0
}

float by_halves(const DotRule& rule, Sum sum, unsigned k, const float* a, const float* b, float c) {
  const int lowest = format_of(Element::F16).lowest_exponent();
  float partial = 0, a_half[kMaxGroup], b_half[kMaxGroup];
  for (unsigned half = 0; half < 2; ++half) {
    for (unsigned i = 0; i < k / 2; ++i) {
      const unsigned from = i / 2 * 4 + half * 2 + i % 2;
      a_half[i] = a[from], b_half[i] = b[from];
    }
    partial = add_at_once(rule, lowest, lowest, sum, k / 2, a_half, b_half, partial);
  }
  const float total = partial + c;  // of two f16: rounding to float first gives the same result
  return sum == Sum::F16 && std::isfinite(total) ? round_to_f16(total) : total;
}

// Four products: to a float in a chain, to an f16 in two.
float by_fma(Sum sum, const float* a, const float* b, float c) {
  if (sum == Sum::F32) {
    float products = std::fma(a[0], b[0], 0.0f);
    for (unsigned i = 1; i < 4; ++i) products = std::fma(a[i], b[i], products);
    return products + c;
  }
  const float total = std::fma(a[1], b[1], std::fma(a[0], b[0], c)) + std::fma(a[3], b[3], a[2] * b[2]);
  return std::isfinite(total) ? round_to_f16(total) : total;
}

}  // namespace

float dot(const DotRule& rule, Element a_element, Element b_element, Sum sum, unsigned k, const float* a,
          const float* b, float c) {
  if (rule.method == DotMethod::AsHalves) return by_halves(rule, sum, k, a, b, c);
  if (rule.method == DotMethod::Fma) return by_fma(sum, a, b, c);
  const int a_lowest = format_of(a_element).lowest_exponent(), b_lowest = format_of(b_element).lowest_exponent();
  for (unsigned first = 0; first < k; first += rule.group)
    c = add_at_once(rule, a_lowest, b_lowest, sum, std::min<unsigned>(rule.group, k - first), a + first, b + first, c);
  return c;
}

namespace {

struct Scale {
  double significand;  // in [1, 2); less for subnormal numbers; NaN
  int exponent;
};

Scale scale_of(Element element, uint8_t bits) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  if (element == Element::UE8M0) return {bits == 0xff ? kNan : 1.0, bits - 127};
  const float value = decode(Element::E4M3, bits & 0x7fu);  // unsigned: there is no sign to be read
  if (std::isnan(value)) return {kNan, 0};
  const int lowest = format_of(Element::E4M3).lowest_exponent();
  const int exponent = value == 0 ? lowest : std::max(std::ilogb(value), lowest);
  return {std::ldexp(value, -exponent), exponent};
}

float finish(const DotRule& rule, int64_t total, int exponent) {
  const float result =
      truncate_to_float(scaled(static_cast<double>(total), exponent - rule.fraction_bits), rule.result_bits);
  return result == 0 ? 0 : result;  // never -0
}

bool any_nan(const Scales& scales, unsigned k) {
  for (unsigned block = 0; block * scales.block < k; ++block)
    if (std::isnan(scale_of(scales.element, scales.a[block]).significand) ||
        std::isnan(scale_of(scales.element, scales.b[block]).significand))
      return true;
  return false;
}

}  // namespace

float dot_scaled(const DotRule& rule, Element a_element, Element b_element, unsigned k, const float* a, const float* b,
                 const Scales& scales, float c) {
  if (any_nan(scales, k)) return std::numeric_limits<float>::quiet_NaN();
  float result;
  if (special(k, a, b, c, result)) return result;
  const int a_lowest = format_of(a_element).lowest_exponent(), b_lowest = format_of(b_element).lowest_exponent();
  int shifts[kMaxGroup] = {};
  for (unsigned block = 0; block * scales.block < k; ++block)
    shifts[block] =
        scale_of(scales.element, scales.a[block]).exponent + scale_of(scales.element, scales.b[block]).exponent;
  auto shift = [&](unsigned i) { return shifts[i / scales.block]; };
  int exponent = std::max(kLowestAlignment, exponent_of(c, -126));
  for (unsigned i = 0; i < k; ++i)
    if (a[i] != 0 && b[i] != 0)
      exponent = std::max(exponent, exponent_of(a[i], a_lowest) + exponent_of(b[i], b_lowest) + shift(i));
  int64_t total = static_cast<int64_t>(scaled(static_cast<double>(c), rule.fraction_bits - exponent));
  for (unsigned i = 0; i < k; ++i)
    total += static_cast<int64_t>(scaled(static_cast<double>(a[i]) * b[i], shift(i) + rule.fraction_bits - exponent));
  return finish(rule, total, exponent);
}

float dot_of_groups(const DotRule& rule, unsigned group, unsigned k, const float* a, const float* b,
                    const Scales& scales, float c) {
  if (any_nan(scales, k)) return std::numeric_limits<float>::quiet_NaN();
  if (!std::isfinite(c)) return c;
  constexpr unsigned kMaxGroups = 16;
  double sums[kMaxGroups];
  int exponents[kMaxGroups];
  int exponent = std::max(kLowestAlignmentOfGroups, exponent_of(c, -126));
  for (unsigned g = 0; g * group < k; ++g) {
    const unsigned block = g * group / scales.block;
    const Scale x = scale_of(scales.element, scales.a[block]), y = scale_of(scales.element, scales.b[block]);
    bool nothing = x.significand == 0 || y.significand == 0, all_zero = true;
    sums[g] = 0;
    for (unsigned i = g * group; i < (g + 1) * group; ++i) {
      sums[g] += static_cast<double>(a[i]) * b[i];
      all_zero &= a[i] == 0 || b[i] == 0;
    }
    sums[g] *= x.significand * y.significand;
    exponents[g] = x.exponent + y.exponent;
    if (!nothing && !all_zero) exponent = std::max(exponent, exponents[g]);
  }
  int64_t total = static_cast<int64_t>(scaled(static_cast<double>(c), rule.fraction_bits - exponent));
  for (unsigned g = 0; g * group < k; ++g)
    total += static_cast<int64_t>(scaled(sums[g], exponents[g] + rule.fraction_bits - exponent));
  return finish(rule, total, exponent);
}

uint32_t result_bits(Sum sum, float value) {
  if (std::isnan(value)) return sum == Sum::F16 ? kNanF16 : kNanF32;
  return sum == Sum::F16 ? encode(Element::F16, value, Rounding::Nearest, false) : std::bit_cast<uint32_t>(value);
}

}  // namespace warpwise::numerics
