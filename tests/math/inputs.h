// The arguments of the rows: a function of the row's name and the index alone. The program on the device and the
// comparer on the host make the same ones, and a shorter run is the beginning of a longer one. Integer arithmetic only.
// Half of them are critical numbers; the rest spreads over all bits, all exponents and the functions' main ranges.
#pragma once

#include <cstdint>
#include <cstring>

namespace warpwise::math {

enum class Kind { f64, f32, f16, bf16, i64, u64, i32, u32 };
constexpr unsigned bytes_of(Kind k) {
  return k == Kind::f64 || k == Kind::i64 || k == Kind::u64 ? 8 : k == Kind::f16 || k == Kind::bf16 ? 2 : 4;
}

// splitmix64 (Steele, Lea and Flood: Fast splittable pseudorandom number generators, 2014).
inline uint64_t mix(uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}
inline uint64_t hash(const char* text) {
  uint64_t h = 0xcbf29ce484222325u;  // FNV-1a
  for (; *text; ++text) h = (h ^ static_cast<unsigned char>(*text)) * 0x100000001b3u;
  return h;
}

// A floating-point format, and the conversion from a double: by truncation, which integer arithmetic does alike
// everywhere.
struct Format {
  int exponent_bits, fraction_bits;
};
inline uint64_t narrow(double value, Format f) {
  uint64_t d;
  std::memcpy(&d, &value, 8);
  if (f.fraction_bits == 52) return d;
  const uint64_t sign = d >> 63 << (f.exponent_bits + f.fraction_bits);
  const int bias = (1 << (f.exponent_bits - 1)) - 1;
  const int exponent = static_cast<int>(d >> 52 & 0x7ff) - 1023 + bias;
  const uint64_t fraction = (d & 0xfffffffffffffu) | 1ull << 52;
  if ((d & 0x7ff0000000000000u) == 0x7ff0000000000000u) {
    const bool nan = d & 0xfffffffffffffu;
    return sign | ((1ull << f.exponent_bits) - 1) << f.fraction_bits | (nan ? 1ull << (f.fraction_bits - 1) : 0);
  }
  if (exponent >= (1 << f.exponent_bits) - 1) return sign | ((1ull << f.exponent_bits) - 1) << f.fraction_bits;
  if (exponent <= 0) {
    const int shift = 52 - f.fraction_bits + 1 - exponent;
    return sign | (shift < 64 ? fraction >> shift : 0);
  }
  return sign | static_cast<uint64_t>(exponent) << f.fraction_bits |
         (fraction >> (52 - f.fraction_bits) & ((1ull << f.fraction_bits) - 1));
}

inline uint64_t float_input(Format f, uint64_t r, unsigned kind) {
  constexpr double kSpecial[] = {0.0,
                                 1.0,
                                 2.0,
                                 3.0,
                                 0.5,
                                 1.5,
                                 2.5,
                                 0.25,
                                 4.0,
                                 10.0,
                                 100.0,
                                 7.0,
                                 0.1,
                                 0.9999999999999999,
                                 1.0000000000000002,
                                 0.99999994,
                                 1.00000012,
                                 __builtin_inf(),
                                 __builtin_inf(),
                                 1e-310,
                                 5e-324,
                                 2.2250738585072014e-308,
                                 1.7976931348623157e308,
                                 1e-45,
                                 1.1754943e-38,
                                 1e-40,
                                 3.4028234e38,
                                 65504.0,
                                 65520.0,
                                 6.1e-5,
                                 6e-8,
                                 3.141592653589793,
                                 1.5707963267948966,
                                 0.7853981633974483,
                                 6.283185307179586,
                                 2.718281828459045,
                                 1.4142135623730951,
                                 88.72284,
                                 89.0,
                                 103.97,
                                 709.782712893384,
                                 745.2,
                                 708.0,
                                 127.0,
                                 128.0,
                                 149.0,
                                 1023.0,
                                 1024.0,
                                 1074.0,
                                 2147483647.0,
                                 2147483648.0,
                                 4294967295.0,
                                 4294967296.0,
                                 9223372036854775808.0,
                                 18446744073709551616.0,
                                 9007199254740992.0,
                                 8388608.5,
                                 4503599627370496.5,
                                 1e9,
                                 1e22,
                                 1e17,
                                 171.6,
                                 26.5,
                                 9.3,
                                 13.0};
  constexpr unsigned kSpecials = sizeof kSpecial / sizeof kSpecial[0];
  const int bits = 1 + f.exponent_bits + f.fraction_bits;
  const double sign = r >> 63 ? -1 : 1;
  const double unit = static_cast<double>(r >> 10 & 0xfffffffffffu) * 0x1p-44;  // [0, 1)
  switch (kind) {
    case 0:
    case 1: {
      const uint64_t pick = (r & 0xffff) % (kSpecials + 1);
      return narrow(sign * (pick < kSpecials ? kSpecial[pick] : __builtin_nan("")), f);
    }
    case 2:
    case 3:
      return bits == 64 ? r : r & ((1ull << bits) - 1);  // any bits
    case 4:
      return narrow(sign * unit, f);
    case 5:
      return narrow(sign * unit * 20, f);
    case 6: {  // 2^-40 … 2^40
      const uint64_t exponent = 1023 - 40 + (r & 0x3ff) % 81, d = exponent << 52 | (r >> 9 & 0xfffffffffffffu);
      double value;
      std::memcpy(&value, &d, 8);
      return narrow(sign * value, f);
    }
    default:
      return narrow(sign * static_cast<double>(r & 0x3ff) * 0.5, f);  // whole and half numbers
  }
}

inline uint64_t integer_input(unsigned bits, uint64_t r, unsigned kind) {
  const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  const uint64_t power = uint64_t{1} << (r & 63) % bits;
  switch (kind) {
    case 0:
      return (r >> 6 & 1 ? power - 1 : power) & mask;
    case 1:
      return (r >> 6 & 1 ? 0 - power : ~power) & mask;
    case 2:
    case 3:
      return r >> (64 - bits);
    case 4:
      return r >> 20 & 63;
    case 5:
      return (0 - (r >> 20 & 63)) & mask;
    case 6:
      return (r & 0x8000800080008000u ? r * 0x0101010101010101u : r & 0x7f80ff017f80ff01u) & mask;
    default:
      return ((r >> 32 & 0xfff) - 2048) & mask;
  }
}

// Argument `which` of a row at index i, as bits.
inline uint64_t input(uint64_t row, unsigned which, Kind kind, uint64_t i) {
  const uint64_t r = mix(row ^ mix(i * 4 + which));
  // Usually all arguments of one index are of one kind; every fourth time each has its own.
  const unsigned sort = i / 8 % 4 == 3 ? mix(r) % 8 : i % 8;
  switch (kind) {
    case Kind::f64:
      return float_input({11, 52}, r, sort);
    case Kind::f32:
      return float_input({8, 23}, r, sort);
    case Kind::f16:
      return float_input({5, 10}, r, sort);
    case Kind::bf16:
      return float_input({8, 7}, r, sort);
    case Kind::i64:
    case Kind::u64:
      return integer_input(64, r, sort);
    default:
      return integer_input(32, r, sort);
  }
}

}  // namespace warpwise::math
