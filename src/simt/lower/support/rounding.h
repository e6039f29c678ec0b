// Rounding to float, half and bfloat16 in every direction, in arithmetic that vectorises.
//
// IR has one rounding, to nearest even. Other directions start from an `Exact`: a double `s` and what it
// misses of the true value, `err`, so that value = s + err with s = the double nearest to it. (Or both floats, for
// to_odd.)
//
//   add, fma   TwoSum (Knuth, TAOCP 4.2.2): s + err is the sum exactly. A product of two floats is exact in
//              double (24 + 24 <= 53 bits, exponents far inside), so fma is one such sum.
//   mul        the product is s, err = 0.
//   div, sqrt  the remainder fma(-q, b, a) is exact (a theorem about correctly rounded quotients and
//              roots; no underflow is near, for floats lie well inside the doubles); only its sign counts.
//
// round_f32(x, Rm) converts s to nearest, r, and compares: rounding is monotonic and floats are doubles, so
// r is one of the two floats around the true value, and the comparison of (r, s, err) shows on which side. One step in
// the integer bits repairs it; the step from infinity is the largest float, from zero the smallest subnormal, as the
// standard demands.
//
// to_odd(x) is *round to odd*: truncate, then set the last bit if anything was lost. A value rounded to
// odd with two more bits than the destination can be rounded again without error (Boldo and Melquiond,
// "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd", 2008): float
// has 24 bits, half 11, bfloat16 8 and float's exponents.
//
// Infinities and NaN: s carries them; err is then NaN or 0 and all comparisons below are false.
#pragma once

#include "ptx/isa/isa.h"
#include "simt/lower/support/emit.h"

namespace warpwise::simt {

enum class Round : uint8_t { Nearest, Zero, Down, Up };  // rn rz rm rp

// The rounding modifier of an instruction; nearest when it has none. The integer roundings (rni …) too.
Round rounding_of(const Emit& e);
// As the ww.*.f64 calls number it.
inline uint32_t directed_code(Round round) { return static_cast<uint32_t>(round) - 1; }

struct Exact {
  Value s;    // double
  Value err;  // double
};

Exact exactly(Value s);                  // err = 0
Exact exact_sum(Value a, Value b);       // of doubles, or of floats
Exact exact_quotient(Value a, Value b);  // of doubles that were floats
Exact exact_sqrt(Value a);
Exact exact_integer(Value i, bool is_signed);  // up to 64 bits

Value to_odd(Exact x);                  // float; x of doubles, or of floats, of which only err's sign counts
Value round_f32(Exact x, Round round);  // Nearest only for err = 0
Value round_f64(Exact x, Round round);
Value round_half(Value f, Round round);  // from float, which may be a to_odd
Value round_bf16(Value f, Round round);  // i16; NaN becomes 0x7fff

Value bf16_to_float(Value bits);
inline Value half_to_float(Value half) { return to_float(half); }

// .ftz: subnormals become zeros of their sign (float).
Value flush(Value v);
// .sat: into [0, 1]; NaN and -0 become +0 (any floating-point type).
Value saturate(Value v);

}  // namespace warpwise::simt
