#include "texture/warp_sample.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/clones.h"
#include "texture/texel.h"

#define WARPWISE_INLINE [[gnu::always_inline]] inline

namespace warpwise::texture {

using device::AddressMode;
using device::Channel;
using device::Image;
using device::ImageLevel;
using device::ImageShape;
using device::Sampler;
using device::TextureDescriptor;

namespace {

constexpr int kWide = 32;
template <class T>
struct alignas(64) Lanes {
  T v[kWide];
};
using Ints = Lanes<int32_t>;
using Doubles = Lanes<double>;

// address.h's Taps, for all lanes.
struct WarpTaps {
  Ints first, second, weight;
  Ints first_outside, second_outside;  // 1: the border colour
};

// --- coordinates: see address.cpp, whose integers are doubles here, exact all the same ------------------------------

// Reduces the coordinate to a range in which the arithmetic below is exact, without changing its meaning.
template <bool normalized, AddressMode mode>
WARPWISE_INLINE double tame(float coordinate) {
  double v = static_cast<double>(coordinate);
  v = std::fabs(v) >= 0x1p-126 ? v : 0.0;  // NaN and subnormals
  if constexpr (normalized && (mode == AddressMode::Wrap || mode == AddressMode::Mirror)) {
    return std::fabs(v) < 0x1p24 ? v : 0.0;
  } else {
    constexpr double limit = normalized ? 4.0 : 0x1p22;
    v = v < -limit ? -limit : v;
    return v > limit ? limit : v;
  }
}

// A normalised coordinate in texels: truncated to 21 bits first, then reduced to the first period of an axis that
// repeats.
template <AddressMode mode>
WARPWISE_INLINE double in_texels(double v, int32_t size) {
  double u = std::floor(v * 0x1p21);
  if constexpr (mode == AddressMode::Wrap) u -= std::floor(u * 0x1p-21) * 0x1p21;
  if constexpr (mode == AddressMode::Mirror) u -= std::floor(u * 0x1p-22) * 0x1p22;
  return u * size * 0x1p-21;
}

template <bool normalized, AddressMode mode>
WARPWISE_INLINE int32_t place(int32_t texel, int32_t size, int32_t& outside) {
  outside = 0;
  if constexpr (mode == AddressMode::Border) {
    outside = texel < 0 || texel >= size ? 1 : 0;
    return outside ? 0 : texel;
  } else if constexpr (normalized && mode == AddressMode::Wrap) {
    texel = texel < 0 ? texel + size : texel;
    return texel >= size ? texel - size : texel;
  } else if constexpr (normalized && mode == AddressMode::Mirror) {
    texel = texel < 0 ? -1 - texel : texel;
    texel = texel >= 2 * size ? texel - 2 * size : texel;
    return texel >= size ? 2 * size - 1 - texel : texel;
  } else {
    texel = texel < 0 ? 0 : texel;
    return texel >= size ? size - 1 : texel;
  }
}

template <bool linear, bool normalized, AddressMode mode>
WARPWISE_INLINE void find_taps(const float* at, int32_t size, WarpTaps& taps) {
  for (int l = 0; l < kWide; ++l) {
    double v = tame<normalized, mode>(at[l]);
    if constexpr (normalized) v = in_texels<mode>(v, size);
    if constexpr (linear) {
      const int32_t position = static_cast<int32_t>(std::floor(v * 256.0 + 0.5)) - 128;
      taps.first.v[l] = place<normalized, mode>(position >> 8, size, taps.first_outside.v[l]);
      taps.second.v[l] = place<normalized, mode>((position >> 8) + 1, size, taps.second_outside.v[l]);
      int32_t weight = position & 255;
      if constexpr (mode != AddressMode::Border && !(normalized && mode != AddressMode::Clamp))
        weight = taps.first.v[l] == taps.second.v[l] ? 0 : weight;
      taps.weight.v[l] = weight;
    } else {
      taps.first.v[l] = place<normalized, mode>(static_cast<int32_t>(std::floor(v)), size, taps.first_outside.v[l]);
    }
  }
}

template <bool linear>
WARPWISE_INLINE void find_taps(const Sampler& sampler, unsigned axis, const float* at, uint32_t size, WarpTaps& taps) {
  const int32_t n = static_cast<int32_t>(size);
  const AddressMode mode = sampler.address[axis];
  if (sampler.normalized) {
    switch (mode) {
      case AddressMode::Wrap:
        return find_taps<linear, true, AddressMode::Wrap>(at, n, taps);
      case AddressMode::Mirror:
        return find_taps<linear, true, AddressMode::Mirror>(at, n, taps);
      case AddressMode::Border:
        return find_taps<linear, true, AddressMode::Border>(at, n, taps);
      case AddressMode::Clamp:
        return find_taps<linear, true, AddressMode::Clamp>(at, n, taps);
    }
  }
  if (mode == AddressMode::Border) return find_taps<linear, false, AddressMode::Border>(at, n, taps);
  find_taps<linear, false, AddressMode::Clamp>(at, n, taps);
}

WARPWISE_INLINE void no_taps(WarpTaps& taps) { std::memset(&taps, 0, sizeof taps); }

// --- texels ---------------------------------------------------------------------------------------------------------

// The positions of one corner's texels, in units of a channel, and the lanes that read the border instead.
struct Corner {
  Ints at, outside, weight;
};

// One channel of one corner, as stored in memory.
template <class Word>
WARPWISE_INLINE void load(const Word* base, const Ints& at, int32_t channel, Lanes<uint32_t>& out) {
  for (int l = 0; l < kWide; ++l) out.v[l] = base[at.v[l] + channel];
}

WARPWISE_INLINE void load(const device::TexelFormat& format, const std::byte* base, const Ints& at, int32_t channel,
                          Lanes<uint32_t>& out) {
  switch (format.bits) {
    case 8:
      return load(reinterpret_cast<const uint8_t*>(base), at, channel, out);
    case 16:
      return load(reinterpret_cast<const uint16_t*>(base), at, channel, out);
    default:
      return load(reinterpret_cast<const uint32_t*>(base), at, channel, out);
  }
}

struct Fetch {
  const TextureDescriptor& texture;
  Filtered as;
  const std::byte* base;
  const Ints& active;  // all ones or zeros
  uint32_t* results;
};

WARPWISE_INLINE void keep(const Fetch& fetch, unsigned channel, const Lanes<uint32_t>& values) {
  uint32_t* to = fetch.results + channel * kWide;
  for (int l = 0; l < kWide; ++l) to[l] = fetch.active.v[l] ? values.v[l] : to[l];
}

// One channel of the border colour, as it would be stored in memory; for Unorm16 as the 16-bit number.
uint32_t border_word(const TextureDescriptor& texture, Filtered as, unsigned channel) {
  const FilteredChannels all{as, as, as, as};
  const double number = decode_border(texture.sampler, texture.image.format, all)[channel];
  return as == Filtered::Single ? std::bit_cast<uint32_t>(static_cast<float>(number)) : static_cast<uint32_t>(number);
}

// Normalised integers as 16 bits; others unchanged.
WARPWISE_INLINE void widen(const Fetch& fetch, Lanes<uint32_t>& words) {
  const device::TexelFormat& format = fetch.texture.image.format;
  if (fetch.as == Filtered::Unorm16 && format.bits == 8)
    for (int l = 0; l < kWide; ++l) words.v[l] *= 257;
  if (fetch.as == Filtered::Integer && format.channel == Channel::Signed && format.bits < 32) {
    const int shift = 32 - format.bits;
    for (int l = 0; l < kWide; ++l)
      words.v[l] = static_cast<uint32_t>(static_cast<int32_t>(words.v[l] << shift) >> shift);
  }
}

WARPWISE_INLINE void words_of(const Fetch& fetch, const Corner& corner, unsigned channel, bool borders, uint32_t border,
                              Lanes<uint32_t>& words) {
  load(fetch.texture.image.format, fetch.base, corner.at, static_cast<int32_t>(channel), words);
  widen(fetch, words);
  if (borders)
    for (int l = 0; l < kWide; ++l) words.v[l] = corner.outside.v[l] ? border : words.v[l];
}

WARPWISE_INLINE void point(const Fetch& fetch, const Corner& corner, unsigned channel, bool borders, uint32_t border) {
  Lanes<uint32_t> words;
  words_of(fetch, corner, channel, borders, border, words);
  if (fetch.as == Filtered::Unorm16)
    for (int l = 0; l < kWide; ++l)
      words.v[l] = std::bit_cast<uint32_t>(static_cast<float>(static_cast<int32_t>(words.v[l]) / 65535.0));
  keep(fetch, channel, words);
}

// texel.cpp's encode_blend of Single: 24 bits, halves away from zero.
WARPWISE_INLINE uint32_t rounded(double value) {
  const uint64_t word = std::bit_cast<uint64_t>(value) + (uint64_t{1} << 28);
  const double cut = std::bit_cast<double>(word >> 29 << 29);
  return std::bit_cast<uint32_t>(static_cast<float>(std::fabs(value) <= 0x1.fffffffffffffp1023 ? cut : value));
}

WARPWISE_INLINE void blend_floats(const Fetch& fetch, const Corner* corners, int count, unsigned channel, bool borders,
                                  uint32_t border) {
  Doubles sum{};
  for (int k = 0; k < count; ++k) {
    Lanes<uint32_t> words;
    words_of(fetch, corners[k], channel, borders, border, words);
    for (int l = 0; l < kWide; ++l) {
      const double part = static_cast<double>(std::bit_cast<float>(words.v[l])) * corners[k].weight.v[l];
      sum.v[l] += corners[k].weight.v[l] == 0 ? 0.0 : part;  // an infinity does not count where it has no weight
    }
  }
  Lanes<uint32_t> out;
  for (int l = 0; l < kWide; ++l) out.v[l] = rounded(sum.v[l] / 256);
  keep(fetch, channel, out);
}

WARPWISE_INLINE void blend_unorm(const Fetch& fetch, const Corner* corners, int count, unsigned channel, bool borders,
                                 uint32_t border) {
  Ints sum{};
  for (int k = 0; k < count; ++k) {
    Lanes<uint32_t> words;
    words_of(fetch, corners[k], channel, borders, border, words);
    for (int l = 0; l < kWide; ++l) sum.v[l] += static_cast<int32_t>(words.v[l]) * corners[k].weight.v[l];
  }
  Lanes<uint32_t> out;
  for (int l = 0; l < kWide; ++l)
    out.v[l] = std::bit_cast<uint32_t>(static_cast<float>(((sum.v[l] + 128) >> 8) / 65535.0));
  keep(fetch, channel, out);
}

// --- the fetch
// -----------------------------------------------------------------------------------------------------------

struct Axes {
  WarpTaps x, y, z;
  Ints slice;  // where there is no z
};

WARPWISE_INLINE void corner_at(const Axes& axes, bool volume, unsigned k, int32_t pitch, int32_t slice, int32_t texel,
                               Corner& corner) {
  const bool right = (k & 1) != 0, below = (k & 2) != 0, behind = (k & 4) != 0;
  const Ints& x = right ? axes.x.second : axes.x.first;
  const Ints& y = below ? axes.y.second : axes.y.first;
  const Ints& z = volume ? (behind ? axes.z.second : axes.z.first) : axes.slice;
  const Ints& x_out = right ? axes.x.second_outside : axes.x.first_outside;
  const Ints& y_out = below ? axes.y.second_outside : axes.y.first_outside;
  const Ints& z_out = behind ? axes.z.second_outside : axes.z.first_outside;
  for (int l = 0; l < kWide; ++l) {
    corner.at.v[l] = z.v[l] * slice + y.v[l] * pitch + x.v[l] * texel;
    corner.outside.v[l] = x_out.v[l] | y_out.v[l] | z_out.v[l];
  }
}

// sample.cpp's bilinear_weights of `all`, into four corners.
WARPWISE_INLINE void weigh(const Axes& axes, const Ints& all, Corner* corners) {
  for (int l = 0; l < kWide; ++l) {
    const int32_t a = axes.x.weight.v[l], b = axes.y.weight.v[l];
    const int32_t second = (a * all.v[l] + 128) >> 8, first = all.v[l] - second;
    const int32_t first_below = (first * b + 127) >> 8, second_below = (second * b + 128) >> 8;
    corners[0].weight.v[l] = first - first_below;
    corners[1].weight.v[l] = second - second_below;
    corners[2].weight.v[l] = first_below;
    corners[3].weight.v[l] = second_below;
  }
}

template <bool linear>
WARPWISE_INLINE void fetch_all(const Fetch& fetch, const float* const* at, const uint32_t* layers) {
  const Image& image = fetch.texture.image;
  const ImageLevel& level = image.levels[0];
  const Sampler& sampler = fetch.texture.sampler;
  const bool rows = image.shape != ImageShape::D1, volume = image.shape == ImageShape::D3;
  Axes axes;
  find_taps<linear>(sampler, 0, at[0], level.width, axes.x);
  if (rows)
    find_taps<linear>(sampler, 1, at[1], level.height, axes.y);
  else
    no_taps(axes.y);
  if (volume)
    find_taps<linear>(sampler, 2, at[2], level.depth, axes.z);
  else
    no_taps(axes.z);
  if (!volume)
    for (int l = 0; l < kWide; ++l)
      axes.slice.v[l] = layers ? static_cast<int32_t>(std::min(layers[l], image.layers - 1)) : 0;

  const int32_t unit = image.format.bits / 8;
  const int32_t pitch = static_cast<int32_t>(level.pitch / unit), slice = static_cast<int32_t>(level.slice / unit),
                texel = image.format.channels;
  const bool borders = sampler.address[0] == AddressMode::Border ||
                       (rows && sampler.address[1] == AddressMode::Border) ||
                       (volume && sampler.address[2] == AddressMode::Border);
  const int count = linear ? (volume ? 8 : rows ? 4 : 2) : 1;
  Corner corners[8];
  for (int k = 0; k < count; ++k) corner_at(axes, volume, static_cast<unsigned>(k), pitch, slice, texel, corners[k]);
  if constexpr (linear) {
    Ints all;
    for (int l = 0; l < kWide; ++l) all.v[l] = 256 - (volume ? axes.z.weight.v[l] : 0);
    weigh(axes, all, corners);
    if (volume) weigh(axes, axes.z.weight, corners + 4);
  }
  for (unsigned c = 0; c < 4; ++c) {
    if (c >= image.format.channels) {
      keep(fetch, c, {});
      continue;
    }
    const uint32_t border = borders ? border_word(fetch.texture, fetch.as, c) : 0;
    if constexpr (!linear)
      point(fetch, corners[0], c, borders, border);
    else if (fetch.as == Filtered::Single)
      blend_floats(fetch, corners, count, c, borders, border);
    else
      blend_unorm(fetch, corners, count, c, borders, border);
  }
}

WARPWISE_CLONES void fetch_point(const Fetch& fetch, const float* const* at, const uint32_t* layers) {
  fetch_all<false>(fetch, at, layers);
}
WARPWISE_CLONES void fetch_linear(const Fetch& fetch, const float* const* at, const uint32_t* layers) {
  fetch_all<true>(fetch, at, layers);
}

bool is_plain(const TextureDescriptor& texture, const ptx::ImageAccess& access) {
  using ptx::ImageGeometry;
  const Image& image = texture.image;
  if (access.operation != ptx::ImageOperation::Sample && access.operation != ptx::ImageOperation::SampleLevel)
    return false;
  if (access.integer || access.half || access.offset || image.level_count != 1) return false;
  switch (access.geometry) {
    case ImageGeometry::D1:
      if (image.shape != ImageShape::D1 || image.layered) return false;
      break;
    case ImageGeometry::D2:
      if (image.shape != ImageShape::D2 || image.layered) return false;
      break;
    case ImageGeometry::D3:
      if (image.shape != ImageShape::D3) return false;
      break;
    case ImageGeometry::A1:
      if (image.shape != ImageShape::D1 || !image.layered) return false;
      break;
    case ImageGeometry::A2:
      if (image.shape != ImageShape::D2 || !image.layered) return false;
      break;
    default:
      return false;
  }
  // A row with a border above it is half border (sample.cpp).
  if (image.shape == ImageShape::D1 && texture.sampler.address[1] == AddressMode::Border) return false;
  const ImageLevel& level = image.levels[0];
  const uint64_t bytes = level.slice * std::max(level.depth, image.layers) + level.pitch * level.height;
  return bytes < (uint64_t{1} << 30) && level.pitch % (image.format.bits / 8) == 0;
}

}  // namespace

bool sample_warp(const TextureDescriptor& texture, const ptx::ImageAccess& access, uint32_t mask, const uint32_t* words,
                 uint32_t* results) {
  if (!is_plain(texture, access)) return false;
  const FilteredChannels kinds = filtered_as(texture);
  const Filtered as = kinds[0];
  if (as != Filtered::Single && as != Filtered::Unorm16 && as != Filtered::Integer) return false;
  Ints active;
  for (int l = 0; l < kWide; ++l) active.v[l] = -static_cast<int32_t>(mask >> l & 1);
  // Inactive lanes fetch the first texel.
  Lanes<float> at[3];
  Lanes<uint32_t> layers;
  if (access.layered()) {
    for (int l = 0; l < kWide; ++l) layers.v[l] = active.v[l] ? words[l] : 0;
    words += kWide;
  }
  const float* coordinates[3] = {};
  for (unsigned k = 0; k < access.coordinates(); ++k) {
    for (int l = 0; l < kWide; ++l) at[k].v[l] = std::bit_cast<float>(active.v[l] ? words[k * kWide + l] : 0u);
    coordinates[k] = at[k].v;
  }
  const Fetch fetch{texture, as, reinterpret_cast<const std::byte*>(texture.image.levels[0].base), active, results};
  const bool linear = texture.sampler.linear && as != Filtered::Integer;
  (linear ? fetch_linear : fetch_point)(fetch, coordinates, access.layered() ? layers.v : nullptr);
  return true;
}

}  // namespace warpwise::texture
