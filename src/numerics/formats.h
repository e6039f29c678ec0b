// The number formats of the tensor cores, and of the conversions that make their operands.
//
//   format  sign exponent fraction  largest    notes
//   f16       1     5       10      65504      IEEE 754 binary16
//   bf16      1     8        7      3.39e38    the upper half of a float
//   tf32      1     8       10      3.40e38    the upper 19 bits of a float; the rest of its register is not read
//   e4m3      1     4        3      448        no infinity; S.1111.111 is NaN (OCP 8-bit Floating Point, section 5)
//   e5m2      1     5        2      57344      like IEEE 754
//   e2m3      1     2        3      7.5        neither infinity nor NaN (OCP Microscaling Formats, section 5.3)
//   e3m2      1     3        2      28
//   e2m1      1     2        1      6           in the middle of a byte, or two in a byte: E2M1Packed
//   ue8m0     0     8        0      2^127      scales only: 2 to the bits less 127; 0xff is NaN (OCP Microscaling
//   Formats, section 5.4)
//
// Every one of them is a subset of float, so decoded operands are floats, exactly.
#pragma once

#include <cstdint>

namespace warpwise::numerics {

enum class Element : uint8_t {
  F16,
  BF16,
  TF32,
  E4M3,
  E5M2,
  E2M3,
  E3M2,
  E2M1,
  E2M1Packed,
  F64,
  S8,
  U8,
  S4,
  U4,
  B1,
  UE8M0
};

struct Format {
  uint8_t bits;           // of an element in a register
  uint8_t exponent_bits;  // 0 for integers
  uint8_t fraction_bits;
  bool infinity;  // an exponent of all ones means infinity and NaN
  int lowest_exponent() const {
    return 2 - (1 << (exponent_bits - 1));
  }  // of normal numbers; subnormal ones use the same
};

constexpr Format format_of(Element element) {
  switch (element) {
    case Element::F16:
      return {16, 5, 10, true};
    case Element::BF16:
      return {16, 8, 7, true};
    case Element::TF32:
      return {32, 8, 10, true};
    case Element::E4M3:
      return {8, 4, 3, false};
    case Element::E5M2:
      return {8, 5, 2, true};
    case Element::E2M3:
      return {8, 2, 3, false};  // in a byte each where mma reads it
    case Element::E3M2:
      return {8, 3, 2, false};
    case Element::E2M1:
      return {8, 2, 1, false};
    case Element::E2M1Packed:
      return {4, 2, 1, false};
    case Element::F64:
      return {64, 11, 52, true};
    case Element::S8:
    case Element::U8:
      return {8, 0, 0, false};
    case Element::S4:
    case Element::U4:
      return {4, 0, 0, false};
    case Element::B1:
      return {1, 0, 0, false};
    case Element::UE8M0:
      return {8, 8, 0, false};
  }
  return {};
}

constexpr bool is_small_float(Element element) { return element < Element::F64; }

// The number that the low bits of a register hold; small floats only.
float decode(Element element, uint32_t bits);

enum class Rounding : uint8_t { Nearest, Zero };

// A number in a format, rounded once. Overflow gives infinity, or what the format has instead: the largest number
// (e2m3, e3m2, e2m1) or NaN (e4m3). `saturate` (.satfinite): always the largest. NaN gives the canonical one (0x7f
// for the 8-bit formats, 0x7fff for f16); formats without NaN give their largest number, positive (PTX ISA 9.7.9.21).
uint32_t encode(Element element, double value, Rounding rounding, bool saturate);

}  // namespace warpwise::numerics
