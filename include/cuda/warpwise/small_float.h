// Floating-point formats of 8, 6 and 4 bits as data, and one conversion for all of them. Formats differ in the number
// of fraction bits, the exponent of the smallest normal number, and the encodings beyond the largest number (OCP 8-bit
// Floating Point, version 1.0; OCP Microscaling Formats, version 1.0). cuda_fp8.h, cuda_fp6.h and cuda_fp4.h give them
// CUDA's names.
#pragma once

#include <assert.h>

#include "../device_types.h"
#include "begin_device_code.h"

#pragma push_macro("BOTH")
#define BOTH static inline __host__ __device__ __attribute__((always_inline))

namespace warpwise_cuda {
// Converts a float to double through its bits: code compiled with -ftz=true takes small numbers for zero.
BOTH double exact_double(float f) {
  const unsigned bits = __builtin_bit_cast(unsigned, f), magnitude = bits & 0x7fffffffu;
  if (magnitude == 0 || magnitude >= 0x00800000u) return static_cast<double>(f);
  const double value = static_cast<double>(magnitude) * 0x1p-149;
  return bits >> 31 ? -value : value;
}

struct SmallFormat {
  int fraction_bits, lowest_exponent, sign_bit;
  unsigned char beyond;  // the encoding for values that round beyond the largest number
  unsigned char largest, nan;
};

// A double in one of the formats; every other source type converts exactly to double. CUDA rounds to nearest, ties to
// even, or to zero.
BOTH unsigned char encode_small(double x, SmallFormat format, cudaRoundMode rounding = cudaRoundNearest) {
  assert(rounding == cudaRoundNearest || rounding == cudaRoundZero);
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, x), magnitude = bits & 0x7fffffffffffffffull;
  if (magnitude > 0x7ff0000000000000ull) return format.nan;
  const unsigned sign = static_cast<unsigned>(bits >> 63) << format.sign_bit;
  int exponent = static_cast<int>(magnitude >> 52) - 1023;
  if (exponent > 15) return static_cast<unsigned char>(sign | format.beyond);
  if (exponent < format.lowest_exponent) exponent = format.lowest_exponent;
  // In units of the last place: below 2^4, so the integer part is the significand.
  const double scale = __builtin_bit_cast(double, static_cast<unsigned long long>(1023 + format.fraction_bits - exponent) << 52);
  const double scaled = __builtin_bit_cast(double, magnitude) * scale;
  unsigned kept = static_cast<unsigned>(scaled);
  const double rest = scaled - kept;
  if (rounding == cudaRoundNearest && (rest > 0.5 || (rest == 0.5 && (kept & 1)))) ++kept;
  const unsigned encoding = kept + (static_cast<unsigned>(exponent - format.lowest_exponent) << format.fraction_bits);
  return static_cast<unsigned char>(sign | (encoding > format.largest ? format.beyond : encoding));
}

// The value of a format that has neither infinities nor NaN: those of 6 and 4 bits.
BOTH float decode_small(unsigned char x, SmallFormat format) {
  const unsigned magnitude = x & ((1u << format.sign_bit) - 1), fraction = magnitude & ((1u << format.fraction_bits) - 1);
  const unsigned exponent = magnitude >> format.fraction_bits;
  const unsigned significand = exponent ? fraction | 1u << format.fraction_bits : fraction;
  const int power = (exponent ? static_cast<int>(exponent) - 1 : 0) + format.lowest_exponent - format.fraction_bits;
  const float value = static_cast<float>(significand) * __builtin_bit_cast(float, static_cast<unsigned>(127 + power) << 23);
  return x >> format.sign_bit & 1 ? -value : value;
}
}  // namespace warpwise_cuda

#pragma pop_macro("BOTH")
#include "end_device_code.h"
