// Floating-point formats in general: numbers taken apart and put together in any of them with any
// rounding. Conversions and 16-bit arithmetic use this; f32 and f64 arithmetic uses the host's own.
#pragma once

#include <functional>

#include "exec/interpreter/value.h"

namespace warpwise::exec::interpreter {

enum class Round : uint8_t { Nearest, Zero, Down, Up, NearestAway };

struct Format {
  unsigned exponent_bits;
  unsigned fraction_bits;
  uint64_t nan;  // what an invalid result is

  constexpr unsigned bits() const { return 1 + exponent_bits + fraction_bits; }
  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr uint64_t infinity() const { return ((uint64_t{1} << exponent_bits) - 1) << fraction_bits; }
  constexpr uint64_t largest() const { return infinity() - 1; }
};

constexpr Format kF16{5, 10, 0x7fff};
constexpr Format kBf16{8, 7, 0x7fff};
constexpr Format kTf32{8, 10, 0x3ffff};  // 19 bits; in a register they are the upper ones of 32
constexpr Format kF32{8, 23, 0x7fffffff};
constexpr Format kF64{11, 52, 0x7fffffffffffffff};
Format format_of(ptx::Type type);

// (-1)^negative * significand * 2^exponent, exactly.
struct Exact {
  bool negative = false;
  uint64_t significand = 0;
  int exponent = 0;
};

Exact exactly(double finite);
Exact exactly(Number integer);  // up to 64 bits and a sign

// The number in a format, rounded once. Overflow gives infinity or the largest number, as the rounding says.
uint64_t round_to(Format format, Exact value, Round round);
// The same for a double, which may also be an infinity or a NaN.
uint64_t round_to(Format format, double value, Round round);
// A number of a format of at most 64 bits as a double, which holds all of them.
double read(Format format, uint64_t bits);

// Host arithmetic under a rounding. `operation` must not be folded at compile time: it reads its operands
// through the closure.
double with_rounding(Round round, const std::function<double()>& operation);
float with_rounding(Round round, const std::function<float()>& operation);

// The result rounded to odd: truncated, with the last bit set if anything was lost. Such a double can be
// rounded again, to half its width or less, as if it were the exact result (Boldo and Melquiond 2008).
double to_odd(const std::function<double()>& operation);

}  // namespace warpwise::exec::interpreter
