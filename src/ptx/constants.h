// The values of PTX literals (PTX ISA 4.5).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpwise::ptx {

struct Constant {
  uint64_t bits = 0;        // of an integer; of the value as an f64 when is_float
  uint32_t float_bits = 0;  // of a 0fXXXXXXXX literal
  bool is_float = false;
  bool exact_f32 = false;    // float_bits holds
  bool is_unsigned = false;  // arithmetic on it is unsigned: suffix U, or too large for .s64
};

// The value of one number token; empty when it is malformed or does not fit 64 bits.
std::optional<Constant> parse_number(std::string_view text);

// Widens a constant as hardware loads do: NaN payloads keep their bits.
uint64_t widen_to_f64(uint32_t f32_bits);
// The f32 from which `f32_bits` was widened, or the value rounded to nearest even.
uint32_t narrow_to_f32(uint64_t f64_bits);
// The value rounded to nearest even as an f16 (or bf16).
uint16_t narrow_to_f16(uint64_t f64_bits);
uint16_t narrow_to_bf16(uint64_t f64_bits);

}  // namespace warpwise::ptx
