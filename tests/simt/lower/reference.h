// Arithmetic to compare with, by means other than the compiler's: MPFR with one exact rounding.
#pragma once

#include <mpfr.h>

#include <cstdint>
#include <functional>

namespace warpwise::simt::test {

// A binary interchange format.
struct Format {
  unsigned bits;      // in all
  unsigned fraction;  // stored
  unsigned exponent_bits() const { return bits - 1 - fraction; }
  long bias() const { return (1l << (exponent_bits() - 1)) - 1; }
};
constexpr Format kF16{16, 10}, kBF16{16, 7}, kF32{32, 23}, kF64{64, 52}, kTF32{32, 10};

enum class Mode { Nearest, Zero, Down, Up, Away };  // Away: ties away from zero

// A number of arbitrary precision; enough of it that sums and products of the formats are exact.
class Exact {
 public:
  Exact() {
    mpfr_init2(v, 4400);
    mpfr_set_zero(v, 1);
  }
  explicit Exact(double d) : Exact() { mpfr_set_d(v, d, MPFR_RNDN); }
  Exact(const Exact& other) : Exact() { mpfr_set(v, other.v, MPFR_RNDN); }
  Exact& operator=(const Exact& other) {
    mpfr_set(v, other.v, MPFR_RNDN);
    return *this;
  }
  ~Exact() { mpfr_clear(v); }
  static Exact decode(Format format, uint64_t bits);
  // The number rounded once to the format. NaN: 0x7fff and 0x7fffffff; f64's quiet NaN.
  uint64_t encode(Format format, Mode mode) const;

  mpfr_t v;
};

// IEEE operations. The zero's sign of a sum follows the rounding, hence the mode.
Exact add(const Exact& a, const Exact& b, Mode mode);
Exact multiply(const Exact& a, const Exact& b);
Exact multiply_add(const Exact& a, const Exact& b, const Exact& c, Mode mode);
Exact divide(const Exact& a, const Exact& b);  // to 4400 bits: as good as exact for these formats
Exact root(const Exact& a);

}  // namespace warpwise::simt::test
