#include "ptx/constants.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <string>

namespace warpwise::ptx {
namespace {

template <class T>
std::optional<T> parse_digits(std::string_view digits, int base) {
  T value{};
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::optional<Constant> parse_integer(std::string_view text) {
  Constant c;
  if (text.ends_with('U')) {
    c.is_unsigned = true;
    text.remove_suffix(1);
  }
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X"))
    base = 16, text.remove_prefix(2);
  else if (text.starts_with("0b") || text.starts_with("0B"))
    base = 2, text.remove_prefix(2);
  else if (text.size() > 1 && text[0] == '0')
    base = 8, text.remove_prefix(1);
  auto value = parse_digits<uint64_t>(text, base);
  if (!value) return std::nullopt;
  c.bits = *value;
  c.is_unsigned = c.is_unsigned || *value > static_cast<uint64_t>(INT64_MAX);
  return c;
}

// The value times 2^-shift, rounded to nearest even, as the significand of a narrow format.
// `bits`/`bias` describe the format: stored significand bits and exponent bias.
uint16_t narrow(uint64_t f64_bits, int significand_bits, int bias, uint16_t infinity) {
  double value = std::bit_cast<double>(f64_bits);
  uint16_t sign = static_cast<uint16_t>(f64_bits >> 48 & 0x8000);
  if (std::isnan(value)) return static_cast<uint16_t>(infinity | 1u << (significand_bits - 1) | sign);
  double magnitude = std::fabs(value);
  int exponent = magnitude == 0 ? 1 - bias : std::max(std::ilogb(magnitude), 1 - bias);
  if (std::isinf(magnitude) || exponent > bias) return infinity | sign;
  // In units of the last place; nearbyint rounds to nearest even in the default mode.
  double units = std::nearbyint(std::ldexp(magnitude, significand_bits - exponent));
  auto whole = static_cast<uint32_t>(units);  // includes the hidden bit when normal
  uint32_t hidden = 1u << significand_bits;
  uint32_t out =
      whole < hidden ? whole : (static_cast<uint32_t>(exponent + bias) << significand_bits) + (whole - hidden);
  return static_cast<uint16_t>(std::min<uint32_t>(out, infinity) | sign);
}

}  // namespace

std::optional<Constant> parse_number(std::string_view text) {
  if (text.empty()) return std::nullopt;
  bool zero = text[0] == '0' && text.size() > 1;
  if (zero && (text[1] == 'f' || text[1] == 'F')) {
    if (text.size() != 10) return std::nullopt;
    auto bits = parse_digits<uint32_t>(text.substr(2), 16);
    if (!bits) return std::nullopt;
    return Constant{widen_to_f64(*bits), *bits, true, true};
  }
  if (zero && (text[1] == 'd' || text[1] == 'D')) {
    if (text.size() != 18) return std::nullopt;
    auto bits = parse_digits<uint64_t>(text.substr(2), 16);
    if (!bits) return std::nullopt;
    return Constant{*bits, 0, true};
  }
  bool hex = zero && (text[1] == 'x' || text[1] == 'X' || text[1] == 'b' || text[1] == 'B');
  if (hex || text.find_first_of(".eE") == text.npos) return parse_integer(text);
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return Constant{std::bit_cast<uint64_t>(value), 0, true};
}

uint64_t widen_to_f64(uint32_t f32_bits) {
  float value = std::bit_cast<float>(f32_bits);
  if (!std::isnan(value)) return std::bit_cast<uint64_t>(static_cast<double>(value));
  return static_cast<uint64_t>(f32_bits & 0x80000000u) << 32 | uint64_t{0x7ff} << 52 |
         static_cast<uint64_t>(f32_bits & 0x7fffffu) << 29;
}

uint32_t narrow_to_f32(uint64_t f64_bits) {
  double value = std::bit_cast<double>(f64_bits);
  if (!std::isnan(value)) return std::bit_cast<uint32_t>(static_cast<float>(value));
  auto payload = static_cast<uint32_t>(f64_bits >> 29 & 0x7fffffu);
  return static_cast<uint32_t>(f64_bits >> 32 & 0x80000000u) | 0x7f800000u | (payload ? payload : 0x400000u);
}

uint16_t narrow_to_f16(uint64_t f64_bits) { return narrow(f64_bits, 10, 15, 0x7c00); }
uint16_t narrow_to_bf16(uint64_t f64_bits) { return narrow(f64_bits, 7, 127, 0x7f80); }

}  // namespace warpwise::ptx
