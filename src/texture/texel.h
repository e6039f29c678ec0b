// One texel in memory, as the numbers that are filtered.
//
// The texture unit filters in binary32 only if the texels are binary32. Normalised integers of 8 and 16 bits are
// filtered as 16-bit integers (0 to 65535, or -32767 to 32767) and halves as halves. An 8-bit value v stands for v *
// 257, which is exactly v / 255; a signed one is filtered in 7 bits and its blend spread over 15. (Not documented;
// measured on an H200 with tests/gpu/texture_samples.cu, bit for bit.)
#pragma once

#include <array>
#include <cstdint>

#include "device/texture.h"

namespace warpwise::texture {

// The result of a sample: four words, floats or integers depending on the format. Channels that the format lacks are
// zero.
using Words = std::array<uint32_t, 4>;

// The number type in which a channel is filtered.
enum class Filtered : uint8_t {
  Integer,  // not filtered
  Unorm16,  // 0 to 65535
  Snorm8,   // -127 to 127; a blend keeps 15 bits
  Snorm16,  // -32767 to 32767
  Half,     // 16-bit floats, and sRGB colours
  Single,
};
using FilteredChannels = std::array<Filtered, 4>;
FilteredChannels filtered_as(const device::TextureDescriptor& texture);

// A texel's channels in these numbers, each exactly a double.
using Channels = std::array<double, 4>;
Channels decode(const device::TexelFormat& format, const std::byte* texel, const FilteredChannels& as);
// The border colour in the same numbers.
Channels decode_border(const device::Sampler& sampler, const device::TexelFormat& format, const FilteredChannels& as);

// The register's word for one channel of a texel, and for a weighted sum of texels whose weights add up to 256. Halves
// round away from zero for floats and up for integers.
uint32_t encode_texel(double value, Filtered as);
uint32_t encode_blend(double sum, Filtered as);
// An unfiltered channel of an integer texture: zero- or sign-extended.
uint32_t integer_channel(const device::TexelFormat& format, const std::byte* texel, unsigned channel);

float half_to_float(uint16_t half);
uint16_t float_to_half(float value);  // to nearest even

}  // namespace warpwise::texture
