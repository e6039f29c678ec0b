#include "texture/texel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace warpwise::texture {

using device::Channel;
using device::TexelFormat;

FilteredChannels filtered_as(const device::TextureDescriptor& texture) {
  const TexelFormat& format = texture.image.format;
  auto all = [](Filtered as) { return FilteredChannels{as, as, as, as}; };
  if (format.channel == Channel::Float) return all(format.bits == 16 ? Filtered::Half : Filtered::Single);
  if (!texture.sampler.normalized_float || format.bits == 32) return all(Filtered::Integer);
  if (format.channel == Channel::Signed) return all(format.bits == 8 ? Filtered::Snorm8 : Filtered::Snorm16);
  if (texture.sampler.srgb && format.bits == 8)
    return {Filtered::Half, Filtered::Half, Filtered::Half, Filtered::Unorm16};
  return all(Filtered::Unorm16);
}

float half_to_float(uint16_t half) {
  const uint32_t sign = (half & 0x8000u) << 16, exponent = half >> 10 & 31, fraction = half & 0x3ffu;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
  if (exponent == 0) {
    float value = std::ldexp(static_cast<float>(fraction), -24);
    return sign ? -value : value;
  }
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

uint16_t float_to_half(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value), sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<uint16_t>(0x7fffu);
  if (magnitude >= 0x477ff000u) return static_cast<uint16_t>(sign | 0x7c00u);  // 65520 and above round to infinity
  if (magnitude < 0x38800000u) {                                               // below 2^-14: a multiple of 2^-24
    double scaled = std::ldexp(static_cast<double>(std::bit_cast<float>(magnitude)), 24);
    return static_cast<uint16_t>(sign | static_cast<uint32_t>(std::nearbyint(scaled)));
  }
  uint32_t rounded = magnitude + 0xfffu + (magnitude >> 13 & 1);
  return static_cast<uint16_t>(sign | (rounded - 0x38000000u) >> 13);
}

uint32_t integer_channel(const TexelFormat& format, const std::byte* texel, unsigned channel) {
  uint32_t value = 0;
  const unsigned bytes = format.bits / 8u;
  std::memcpy(&value, texel + channel * bytes, bytes);
  if (format.channel != Channel::Signed || format.bits == 32) return value;
  const unsigned shift = 32u - format.bits;
  return static_cast<uint32_t>(static_cast<int32_t>(value << shift) >> shift);
}

namespace {

// sRGB colours as halves. The curve is that of IEC 61966-2-1; the last bits follow the table of an H200.
double linear_of_srgb(uint32_t byte) {
  static constexpr uint16_t kHalves[256] = {
#include "texture/srgb.inc"
  };
  return half_to_float(kHalves[byte & 255]);
}

double channel_number(const TexelFormat& format, const std::byte* texel, unsigned channel, Filtered as) {
  const uint32_t word = integer_channel(format, texel, channel);
  switch (as) {
    case Filtered::Integer:
      return word;
    case Filtered::Unorm16:
      return format.bits == 16 ? word : word * 257.0;
    case Filtered::Snorm8:
      return std::max(static_cast<int32_t>(word), -127);
    case Filtered::Snorm16:
      return std::max(static_cast<int32_t>(word), -32767);
    case Filtered::Half:
      return format.bits == 8 ? linear_of_srgb(word) : half_to_float(static_cast<uint16_t>(word));
    case Filtered::Single:
      return std::bit_cast<float>(word);
  }
  return 0;
}

}  // namespace

Channels decode(const TexelFormat& format, const std::byte* texel, const FilteredChannels& as) {
  Channels out{};
  for (unsigned c = 0; c < format.channels; ++c) out[c] = channel_number(format, texel, c, as[c]);
  return out;
}

namespace {

// The border colour as a texel of the format: normalised integers round, halves are truncated, integers take the low
// bits.
uint32_t border_word(const TexelFormat& format, float v, Filtered as) {
  const bool is_signed = format.channel == Channel::Signed;
  const double largest = (uint64_t{1} << (format.bits - is_signed)) - 1.0, smallest = is_signed ? -1.0 : 0.0;
  if (as == Filtered::Integer || as == Filtered::Single) return std::bit_cast<uint32_t>(v);
  if (format.channel != Channel::Float) {
    double clamped = std::isnan(v) ? 0 : std::clamp<double>(v, smallest, 1.0);
    return static_cast<uint32_t>(static_cast<int32_t>(std::floor(clamped * largest + 0.5)));
  }
  uint16_t half = float_to_half(v);
  return std::fabs(half_to_float(half)) > std::fabs(v) ? half - 1u : half;
}

// To `bits` significant bits, halves away from zero.
double cut(double value, unsigned bits) {
  if (value == 0 || !std::isfinite(value)) return value;
  const unsigned dropped = 53 - bits;
  uint64_t word = std::bit_cast<uint64_t>(value) + (uint64_t{1} << (dropped - 1));
  return std::bit_cast<double>(word >> dropped << dropped);
}

// 256 times a number of 7 bits and a sign, to 15 bits; rounds up from 9/16.
double spread(double sum) {
  const double wide = std::floor(std::fabs(sum) * 32767.0 / 32512.0 + 7.0 / 16.0);
  return sum < 0 ? -wide : wide;
}

uint32_t float_word(double value) { return std::bit_cast<uint32_t>(static_cast<float>(value)); }

}  // namespace

Channels decode_border(const device::Sampler& sampler, const TexelFormat& format, const FilteredChannels& as) {
  std::array<std::byte, 16> texel{};
  const unsigned bytes = format.bits / 8u;
  for (unsigned c = 0; c < format.channels; ++c) {
    uint32_t word = border_word(format, sampler.border[c], as[c]);
    std::memcpy(texel.data() + c * bytes, &word, bytes);
  }
  return decode(format, texel.data(), as);
}

uint32_t encode_texel(double value, Filtered as) {
  switch (as) {
    case Filtered::Integer:
      return static_cast<uint32_t>(value);
    case Filtered::Unorm16:
      return float_word(value / 65535.0);
    case Filtered::Snorm8:
      return float_word(value / 127.0);
    case Filtered::Snorm16:
      return float_word(value / 32767.0);
    case Filtered::Half:
    case Filtered::Single:
      return float_word(value);
  }
  return 0;
}

uint32_t encode_blend(double sum, Filtered as) {
  switch (as) {
    case Filtered::Integer:
      return static_cast<uint32_t>(sum / 256);
    case Filtered::Unorm16:
      return float_word(std::floor(sum / 256 + 0.5) / 65535.0);
    case Filtered::Snorm8:
      return float_word(spread(sum) / 32767.0);
    case Filtered::Snorm16:
      return float_word(std::floor(sum / 256 + 0.5) / 32767.0);
    case Filtered::Half:
      return float_word(cut(sum / 256, 11));
    case Filtered::Single:
      return float_word(cut(sum / 256, 24));
  }
  return 0;
}

}  // namespace warpwise::texture
