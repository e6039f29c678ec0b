// Values of the interpreter.
//
// A register is a sequence of bits (Bits). Integer instructions read it as the mathematical number that it stands for
// (Number): u64's largest is 2^64 - 1, s32's lowest is -2^31. 128 bits hold every sum and every product that an
// instruction can form, so saturation, high halves and carries are comparisons and shifts of true results instead of
// tricks with wrapping words.
#pragma once

#include <bit>
#include <cstdint>

#include "ptx/types.h"

namespace warpwise::exec::interpreter {

using Bits = unsigned __int128;
using Number = __int128;

constexpr Bits mask_of(unsigned bits) { return bits >= 128 ? ~Bits{0} : (Bits{1} << bits) - 1; }

// The low `bits` bits as a number with or without a sign.
constexpr Number number_of(Bits value, unsigned bits, bool is_signed) {
  value &= mask_of(bits);
  if (is_signed && bits < 128 && (value >> (bits - 1)) != 0) return static_cast<Number>(value | ~mask_of(bits));
  return static_cast<Number>(value);
}
inline Number number_of(Bits value, ptx::Type type) {
  return number_of(value, ptx::bits_of(type), ptx::is_signed(type));
}

struct Range {
  Number lowest, highest;
};
constexpr Range range_of(unsigned bits, bool is_signed) {
  if (is_signed) return {-(Number{1} << (bits - 1)), (Number{1} << (bits - 1)) - 1};
  return {0, (Number{1} << bits) - 1};
}
inline Range range_of(ptx::Type type) { return range_of(ptx::bits_of(type), ptx::is_signed(type)); }

constexpr Number clamp(Number value, Range range) {
  return value < range.lowest ? range.lowest : value > range.highest ? range.highest : value;
}

inline Bits bits_of(float value) { return std::bit_cast<uint32_t>(value); }
inline Bits bits_of(double value) { return std::bit_cast<uint64_t>(value); }
// The quiet NaN of a NaN.
inline double quiet(double nan) { return std::bit_cast<double>(std::bit_cast<uint64_t>(nan) | uint64_t{1} << 51); }
inline float float_of(Bits bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
inline double double_of(Bits bits) { return std::bit_cast<double>(static_cast<uint64_t>(bits)); }

}  // namespace warpwise::exec::interpreter
