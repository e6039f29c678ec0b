#include "exec/interpreter/formats.h"

#include <cfenv>
#include <cmath>

#include "numerics/host_rounding.h"

namespace warpwise::exec::interpreter {

Format format_of(ptx::Type type) {
  switch (type) {
    case ptx::Type::F16:
    case ptx::Type::F16x2:
      return kF16;
    case ptx::Type::BF16:
    case ptx::Type::BF16x2:
      return kBf16;
    case ptx::Type::TF32:
      return kTf32;
    case ptx::Type::F64:
      return kF64;
    default:
      return kF32;
  }
}

Exact exactly(double finite) {
  uint64_t bits = std::bit_cast<uint64_t>(finite);
  int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  uint64_t fraction = bits & 0xfffffffffffff;
  bool negative = bits >> 63;
  if (exponent == 0) return {negative, fraction, -1074};
  return {negative, fraction | uint64_t{1} << 52, exponent - 1075};
}

Exact exactly(Number integer) { return {integer < 0, static_cast<uint64_t>(integer < 0 ? -integer : integer), 0}; }

namespace {

// Whether a magnitude that lies between two numbers goes to the upper one.
bool round_up(Round round, bool negative, bool odd, bool half, bool below_half) {
  switch (round) {
    case Round::Nearest:
      return half && (below_half || odd);
    case Round::NearestAway:
      return half;
    case Round::Zero:
      return false;
    case Round::Down:
      return negative && (half || below_half);
    case Round::Up:
      return !negative && (half || below_half);
  }
  return false;
}

}  // namespace

uint64_t round_to(Format format, Exact value, Round round) {
  uint64_t sign = uint64_t{value.negative} << (format.bits() - 1);
  if (value.significand == 0) return sign;
  // Numbers of the format are multiples of 2^unit: below its leading bit by the fraction, but never finer
  // than the smallest subnormal.
  int top = value.exponent + 63 - std::countl_zero(value.significand);
  int smallest = 1 - format.bias() - static_cast<int>(format.fraction_bits);
  int unit = std::max(top - static_cast<int>(format.fraction_bits), smallest);
  int drop = unit - value.exponent;
  uint64_t kept;
  if (drop <= 0) {
    kept = value.significand << -drop;
  } else {
    kept = drop < 64 ? value.significand >> drop : 0;
    bool half = drop <= 64 && (value.significand >> (drop - 1) & 1) != 0;
    uint64_t rest = drop <= 1   ? 0
                    : drop > 64 ? value.significand
                                : value.significand & ((uint64_t{1} << (drop - 1)) - 1);
    if (round_up(round, value.negative, kept & 1, half, rest != 0)) ++kept;
  }
  // `kept` in units of 2^unit is the encoding's fraction, plus 1 at the place of the implicit bit for each
  // exponent above the first; a carry of the rounding flows into the exponent by itself.
  uint64_t encoding = kept;
  if (unit > smallest) encoding += static_cast<uint64_t>(unit - smallest) << format.fraction_bits;
  if (encoding >= format.infinity()) {
    bool to_infinity = round == Round::Nearest || round == Round::NearestAway ||
                       (round == Round::Up && !value.negative) || (round == Round::Down && value.negative);
    encoding = to_infinity ? format.infinity() : format.largest();
  }
  return sign | encoding;
}

uint64_t round_to(Format format, double value, Round round) {
  if (std::isnan(value)) return format.nan;
  if (std::isinf(value)) return (std::signbit(value) ? uint64_t{1} << (format.bits() - 1) : 0) | format.infinity();
  return round_to(format, exactly(value), round);
}

double read(Format format, uint64_t bits) {
  bool negative = bits >> (format.bits() - 1) & 1;
  uint64_t magnitude = bits & ((uint64_t{1} << (format.bits() - 1)) - 1);
  double value;
  if (magnitude > format.infinity()) {
    value = std::bit_cast<double>(uint64_t{0x7ff8000000000000} | (magnitude - format.infinity())
                                                                     << (52 - format.fraction_bits));
  } else if (magnitude == format.infinity()) {
    value = HUGE_VAL;
  } else {
    int exponent = static_cast<int>(magnitude >> format.fraction_bits);
    uint64_t fraction = magnitude & ((uint64_t{1} << format.fraction_bits) - 1);
    int unit = 1 - format.bias() - static_cast<int>(format.fraction_bits);
    value = exponent == 0
                ? std::ldexp(static_cast<double>(fraction), unit)
                : std::ldexp(static_cast<double>(fraction | uint64_t{1} << format.fraction_bits), unit + exponent - 1);
  }
  return std::copysign(value, negative ? -1.0 : 1.0);
}

namespace {

int host_rounding(Round round) {
  switch (round) {
    case Round::Zero:
      return FE_TOWARDZERO;
    case Round::Down:
      return FE_DOWNWARD;
    case Round::Up:
      return FE_UPWARD;
    default:
      return FE_TONEAREST;
  }
}

template <class F>
F rounded(Round round, const std::function<F()>& operation) {
  if (round == Round::Nearest) return operation();
  return numerics::with_host_rounding(host_rounding(round), operation);
}

}  // namespace

double with_rounding(Round round, const std::function<double()>& operation) { return rounded(round, operation); }
float with_rounding(Round round, const std::function<float()>& operation) { return rounded(round, operation); }

double to_odd(const std::function<double()>& operation) {
  std::feclearexcept(FE_INEXACT);
  double truncated = rounded(Round::Zero, operation);
  if (!std::fetestexcept(FE_INEXACT) || !std::isfinite(truncated)) return truncated;
  return std::bit_cast<double>(std::bit_cast<uint64_t>(truncated) | 1);
}

}  // namespace warpwise::exec::interpreter
