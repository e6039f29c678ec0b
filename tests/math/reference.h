// The expected results of the rows of rows.inc, in plain C++: directed roundings by the processor's rounding mode,
// conversions and 16-bit arithmetic by their definitions.
#pragma once

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>

namespace warpwise::math {

using f64 = double;
using f32 = float;
using i64 = long long;
using u64 = unsigned long long;
using i32 = int;
using u32 = unsigned;

// A 16-bit floating-point number: its bits, and as a long double.
template <int exponent_bits, int fraction_bits>
struct Half {
  static constexpr int kFraction = fraction_bits;
  static constexpr int kBias = (1 << (exponent_bits - 1)) - 1;
  static constexpr uint16_t kInfinity = ((1 << exponent_bits) - 1) << fraction_bits;
  static constexpr uint16_t kNan = 0x7fff;
  uint16_t bits;
  long double value() const {
    const int exponent = (bits & 0x7fff) >> fraction_bits, fraction = bits & ((1 << fraction_bits) - 1);
    long double magnitude;
    if (exponent == (1 << exponent_bits) - 1)
      magnitude =
          fraction ? std::numeric_limits<long double>::quiet_NaN() : std::numeric_limits<long double>::infinity();
    else if (exponent == 0)
      magnitude = ldexpl(fraction, 1 - kBias - fraction_bits);
    else
      magnitude = ldexpl(fraction + (1 << fraction_bits), exponent - kBias - fraction_bits);
    return bits & 0x8000 ? -magnitude : magnitude;
  }
};
using f16 = Half<5, 10>;
using bf16 = Half<8, 7>;

template <class F, class R, class P>
P stored_by(R (F::*)(P*) const);
template <class T, class F>
T first_of(F f) {
  decltype(stored_by(&F::operator())) stored;
  return f(&stored);
}
template <class T, class F>
T second_of(F f) {
  T stored;
  f(&stored);
  return stored;
}
template <class T, class F>
T first_of_two(F f) {
  T first, second;
  f(&first, &second);
  return first;
}

template <class T, class F>
T of_three(T x, T y, T z, F f) {
  const T p[3] = {x, y, z};
  return f(p);
}

namespace ref {

// CUDA's names of the roundings.
constexpr int rn = FE_TONEAREST, rz = FE_TOWARDZERO, rd = FE_DOWNWARD, ru = FE_UPWARD;

// While an object exists, arithmetic rounds in its mode. Operands and results are volatile, so that no operation leaves
// the scope.
class Rounding {
 public:
  explicit Rounding(int mode) { std::fesetround(mode); }
  ~Rounding() { std::fesetround(FE_TONEAREST); }
};
template <int mode, class T, class F>
T in_mode(F f) {
  Rounding rounding(mode);
  volatile T result = f();
  return result;
}
template <int mode, class T>
T add(T x, T y) {
  volatile T a = x, b = y;
  return in_mode<mode, T>([&] { return a + b; });
}
template <int mode, class T>
T sub(T x, T y) {
  volatile T a = x, b = y;
  return in_mode<mode, T>([&] { return a - b; });
}
template <int mode, class T>
T mul(T x, T y) {
  volatile T a = x, b = y;
  return in_mode<mode, T>([&] { return a * b; });
}
template <int mode, class T>
T div(T x, T y) {
  volatile T a = x, b = y;
  return in_mode<mode, T>([&] { return a / b; });
}
template <int mode, class T>
T root(T x) {
  volatile T a = x;
  return in_mode<mode, T>([&] { return std::sqrt(a); });
}
template <int mode, class T>
T fused(T x, T y, T z) {
  volatile T a = x, b = y, c = z;
  return in_mode<mode, T>([&] { return std::fma(a, b, c); });
}
template <int mode, class T, class F>
T convert(F x) {
  volatile F a = x;
  return in_mode<mode, T>([&] { return static_cast<T>(a); });
}

// cvt to an integer (PTX ISA, "cvt"): out of range the nearest; NaN 0, or the highest bit alone where 64 bits are
// on either side.
template <int mode, class I, class F>
I to_integer(F x) {
  constexpr bool wide = sizeof(I) == 8 || std::is_same_v<F, double>;
  if (std::isnan(x)) return wide ? static_cast<I>(u64{1} << (sizeof(I) * 8 - 1)) : I{0};
  volatile long double a = x;
  const long double whole = in_mode<mode, long double>([&] { return nearbyintl(a); });
  if (whole <= static_cast<long double>(std::numeric_limits<I>::min())) return std::numeric_limits<I>::min();
  if (whole >= static_cast<long double>(std::numeric_limits<I>::max())) return std::numeric_limits<I>::max();
  return static_cast<I>(whole);
}

// max and min (PTX ISA, "max"): a NaN loses, +0 is above -0.
template <class T>
T number_above(T x, T y) {
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) ? y : x;
  return x == y ? (std::signbit(x) ? y : x) : x > y ? x : y;
}
template <class T>
T number_below(T x, T y) {
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) ? y : x;
  return x == y ? (std::signbit(x) ? x : y) : x < y ? x : y;
}

// --- 16-bit floating point ---
template <class T, int mode = rn>
T rounded(long double x) {
  const uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  if (std::isnan(x)) return T{T::kNan};
  const long double magnitude = std::fabs(x);
  if (std::isinf(x)) return T{static_cast<uint16_t>(sign | T::kInfinity)};
  if (magnitude == 0) return T{sign};
  int exponent;
  frexpl(magnitude, &exponent);
  const int least = 1 - T::kBias, unit = std::max(exponent - 1, least) - T::kFraction;
  volatile long double scaled = ldexpl(x, -unit);
  const long double whole = std::fabs(in_mode<mode, long double>([&] { return nearbyintl(scaled); }));
  const long double result = ldexpl(whole, unit);
  const long double beyond = ldexpl(1, T::kBias + 1);
  const bool towards_zero = mode == rz || (mode == rd && !sign) || (mode == ru && sign);
  if (result >= beyond) return T{static_cast<uint16_t>(sign | (T::kInfinity - (towards_zero ? 1 : 0)))};
  // `whole` counts units from zero; where the exponent changes it carries into it by itself.
  const int biased = std::max(exponent - 1, least) - least;
  return T{
      static_cast<uint16_t>(sign | (static_cast<unsigned>(biased << T::kFraction) + static_cast<unsigned>(whole)))};
}
// a * b + c for 16-bit numbers, with the bits that a long double cannot hold kept as a last odd one, so that one
// more rounding is right (Boldo and Melquiond: Emulation of FMA and correctly rounded sums, 2008). The product
// is exact; 11 + 11 bits.
inline long double fused_odd(long double a, long double b, long double c) {
  const long double p = a * b, s = p + c;
  if (!std::isfinite(s)) return s;
  const long double t = s - p, error = (p - (s - t)) + (c - t);
  if (error == 0) return s;
  int exponent;
  const long double fraction = frexpl(s, &exponent);
  const long double whole = ldexpl(fraction, 64);  // a 64-bit integer
  if (fmodl(whole, 2) != 0) return s;
  return ldexpl(whole + (error > 0 ? 1 : -1), exponent - 64);
}
template <class T>
T saturated(T x) {
  return x.value() > 1 ? rounded<T>(1) : x.value() > 0 ? x : T{0};
}
template <class T>
T relu(T x) {
  return x.value() <= 0 ? T{0} : x;
}
template <class T>
T least(T x, T y, bool nan_wins) {
  const bool nx = std::isnan(x.value()), ny = std::isnan(y.value());
  if (nx || ny) return nan_wins || (nx && ny) ? T{T::kNan} : nx ? y : x;
  if (x.value() == y.value()) return x.bits & 0x8000 ? x : y;
  return x.value() < y.value() ? x : y;
}
template <class T>
T most(T x, T y, bool nan_wins) {
  const bool nx = std::isnan(x.value()), ny = std::isnan(y.value());
  if (nx || ny) return nan_wins || (nx && ny) ? T{T::kNan} : nx ? y : x;
  if (x.value() == y.value()) return x.bits & 0x8000 ? y : x;
  return x.value() > y.value() ? x : y;
}
// <, <=, ==, !=, >, >= as six bits; all of them for NaN when `unordered`, else none.
inline i32 comparisons(long double x, long double y, bool unordered) {
  if (std::isnan(x) || std::isnan(y)) return unordered ? 63 : 0;
  return (x < y ? 1 : 0) | (x <= y ? 2 : 0) | (x == y ? 4 : 0) | (x != y ? 8 : 0) | (x > y ? 16 : 0) |
         (x >= y ? 32 : 0);
}

// --- integers ---
template <class U>
bool bit(U x, unsigned k) {
  return x >> k & 1;
}
template <class U>
i32 count(U x) {
  i32 n = 0;
  for (unsigned k = 0; k < sizeof(U) * 8; ++k) n += bit(x, k);
  return n;
}
template <class U>
i32 leading_zeros(U x) {
  i32 n = 0;
  for (unsigned k = sizeof(U) * 8; k-- > 0 && !bit(x, k);) ++n;
  return n;
}
template <class U>
i32 first_set(U x) {
  for (unsigned k = 0; k < sizeof(U) * 8; ++k) {
    if (bit(x, k)) return static_cast<i32>(k) + 1;
  }
  return 0;
}
template <class U>
U reverse(U x) {
  U r = 0;
  for (unsigned k = 0; k < sizeof(U) * 8; ++k) r |= static_cast<U>(bit(x, k)) << (sizeof(U) * 8 - 1 - k);
  return r;
}
inline u32 permute(u32 x, u32 y, u32 selector) {
  u32 r = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned byte = selector >> (4 * k) & 7;
    r |= ((byte < 4 ? x >> (8 * byte) : y >> (8 * (byte - 4))) & 0xff) << (8 * k);
  }
  return r;
}
inline i32 low(i64 x) { return static_cast<i32>(static_cast<u32>(x)); }
inline i32 low24(i32 x) { return static_cast<i32>(static_cast<u32>(x) << 8) >> 8; }
template <class T>
int clamp(T x, int least, int most) {
  return x < least ? least : x > most ? most : static_cast<int>(x);
}
// (a + b + 1) / 2 with halves away from zero, as vavg4 of signed numbers rounds (PTX ISA, "vavrg").
inline int away_half(int sum) { return sum >= 0 ? (sum + 1) >> 1 : sum >> 1; }

template <class T>
T element(u32 word, unsigned k) {
  return static_cast<T>(word >> (8 * sizeof(T) * k));
}
template <class A, class B>
i32 dot(u32 x, u32 y, u32 sum, unsigned first_of_y) {
  for (unsigned k = 0; k < 4 / sizeof(A); ++k) {
    sum += static_cast<u32>(static_cast<i32>(element<A>(x, k)) * static_cast<i32>(element<B>(y, k + first_of_y)));
  }
  return static_cast<i32>(sum);
}
// f of each number of a word.
template <class T, class F>
u32 packed(u32 x, u32 y, F f) {
  u32 r = 0;
  for (unsigned k = 0; k < 4 / sizeof(T); ++k) {
    const u32 value = static_cast<u32>(f(element<T>(x, k), element<T>(y, k)));
    r |= (value & ((u64{1} << 8 * sizeof(T)) - 1)) << (8 * sizeof(T) * k);
  }
  return r;
}
template <class T, class F>
u32 packed3(u32 x, u32 y, u32 z, F f) {
  u32 r = 0;
  for (unsigned k = 0; k < 2; ++k)
    r |= (static_cast<u32>(f(element<T>(x, k), element<T>(y, k), element<T>(z, k))) & 0xffff) << (16 * k);
  return r;
}
// neg and abs of a 16-bit number: for a NaN the NaN of its format, as on GPUs.
template <class T>
T negated(T x) {
  return std::isnan(x.value()) ? T{T::kNan} : T{static_cast<uint16_t>(x.bits ^ 0x8000)};
}
template <class T>
T absolute(T x) {
  return std::isnan(x.value()) ? T{T::kNan} : T{static_cast<uint16_t>(x.bits & 0x7fff)};
}
// f of each 16-bit number of a word.
template <class T, class F>
u32 pairs(u32 x, u32 y, F f) {
  return f(T{static_cast<uint16_t>(x)}, T{static_cast<uint16_t>(y)}).bits |
         static_cast<u32>(f(T{static_cast<uint16_t>(x >> 16)}, T{static_cast<uint16_t>(y >> 16)}).bits) << 16;
}
template <class T>
u32 sum_of_differences(u32 x, u32 y) {
  u32 sum = 0;
  for (unsigned k = 0; k < 4 / sizeof(T); ++k)
    sum += static_cast<u32>(std::abs(static_cast<int>(element<T>(x, k)) - element<T>(y, k)));
  return sum;
}

}  // namespace ref
}  // namespace warpwise::math
