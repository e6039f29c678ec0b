#include "reference.h"

namespace warpwise::simt::test {

namespace {

mpfr_rnd_t rounding(Mode mode) {
  switch (mode) {
    case Mode::Zero:
      return MPFR_RNDZ;
    case Mode::Down:
      return MPFR_RNDD;
    case Mode::Up:
      return MPFR_RNDU;
    default:
      return MPFR_RNDN;
  }
}

}  // namespace

Exact Exact::decode(Format format, uint64_t bits) {
  uint64_t fraction = bits & ((uint64_t{1} << format.fraction) - 1);
  uint64_t exponents = (uint64_t{1} << format.exponent_bits()) - 1;
  uint64_t exponent = (bits >> format.fraction) & exponents;
  bool negative = (bits >> (format.bits - 1)) & 1;
  Exact number;
  if (exponent == exponents) {
    if (fraction) {
      mpfr_set_nan(number.v);
    } else {
      mpfr_set_inf(number.v, negative ? -1 : 1);
    }
    return number;
  }
  long scale = 1 - format.bias() - static_cast<long>(format.fraction);
  if (exponent) {
    fraction |= uint64_t{1} << format.fraction;
    scale += static_cast<long>(exponent) - 1;
  }
  mpfr_set_ui_2exp(number.v, fraction, scale, MPFR_RNDN);
  if (negative) mpfr_neg(number.v, number.v, MPFR_RNDN);
  return number;
}

// As an integer multiple of the unit in the last place: the formats' definition, not MPFR's subnormals.
uint64_t Exact::encode(Format format, Mode mode) const {
  uint64_t exponents = (uint64_t{1} << format.exponent_bits()) - 1;
  uint64_t sign = uint64_t{mpfr_signbit(v) != 0} << (format.bits - 1);
  uint64_t infinity = exponents << format.fraction;
  if (mpfr_nan_p(v)) return format.bits == 64 ? 0x7ff8000000000000 : (uint64_t{1} << (format.bits - 1)) - 1;
  if (mpfr_inf_p(v)) return sign | infinity;
  if (mpfr_zero_p(v)) return sign;

  long lowest = 1 - format.bias();  // exponent of the smallest normal
  long exponent = mpfr_get_exp(v) - 1;
  if (exponent < lowest) exponent = lowest;
  long unit = exponent - static_cast<long>(format.fraction);
  mpfr_t scaled;
  mpfr_init2(scaled, mpfr_get_prec(v));
  mpfr_mul_2si(scaled, v, -unit, MPFR_RNDN);
  mpfr_abs(scaled, scaled, MPFR_RNDN);
  // Rounding the magnitude: directions turn round with the sign.
  Mode magnitude = mode;
  if (sign && mode == Mode::Down) magnitude = Mode::Up;
  if (sign && mode == Mode::Up) magnitude = Mode::Down;
  if (mode == Mode::Away) {
    mpfr_round(scaled, scaled);
  } else {
    mpfr_rint(scaled, scaled, rounding(magnitude));
  }
  uint64_t count = mpfr_get_ui(scaled, MPFR_RNDN);
  mpfr_clear(scaled);

  uint64_t hidden = uint64_t{1} << format.fraction;
  uint64_t biased = static_cast<uint64_t>(exponent + format.bias());
  uint64_t bits = count < hidden ? count : (biased << format.fraction) + (count - hidden);
  if (bits >= infinity) {
    bool to_infinity = magnitude == Mode::Nearest || magnitude == Mode::Up || magnitude == Mode::Away;
    bits = to_infinity ? infinity : infinity - 1;
  }
  return sign | bits;
}

Exact add(const Exact& a, const Exact& b, Mode mode) {
  Exact sum;
  mpfr_add(sum.v, a.v, b.v, rounding(mode));
  return sum;
}
Exact multiply(const Exact& a, const Exact& b) {
  Exact product;
  mpfr_mul(product.v, a.v, b.v, MPFR_RNDN);
  return product;
}
Exact multiply_add(const Exact& a, const Exact& b, const Exact& c, Mode mode) { return add(multiply(a, b), c, mode); }
// Rounded to odd in effect: 4400 bits truncated, and never a tie, because quotients and roots of such
// short numbers are either short or do not end.
Exact divide(const Exact& a, const Exact& b) {
  Exact quotient;
  mpfr_div(quotient.v, a.v, b.v, MPFR_RNDZ);
  return quotient;
}
Exact root(const Exact& a) {
  Exact result;
  mpfr_sqrt(result.v, a.v, MPFR_RNDZ);
  return result;
}

}  // namespace warpwise::simt::test
