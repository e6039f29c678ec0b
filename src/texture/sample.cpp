#include "texture/sample.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

#include "texture/address.h"
#include "texture/level.h"

namespace warpwise::texture {

using device::AddressMode;
using device::Image;
using device::ImageLevel;
using device::ImageShape;
using device::TextureDescriptor;

namespace {

struct Sampled {
  const TextureDescriptor& texture;
  FilteredChannels as;
  const ImageLevel& level;

  Channels texel(int32_t x, int32_t y, uint32_t slice, bool inside) const {
    if (!inside) return decode_border(texture.sampler, texture.image.format, as);
    const auto* at =
        reinterpret_cast<const std::byte*>(level.base + slice * level.slice + static_cast<uint64_t>(y) * level.pitch +
                                           static_cast<uint64_t>(x) * texture.image.format.bytes());
    return decode(texture.image.format, at, as);
  }
};

struct Footprint {
  Taps x, y, z;
  uint32_t slice = 0;  // where there is no z
};

bool is_linear(const TextureDescriptor& texture, const SampleRequest& request) {
  return texture.sampler.linear && !request.integer && filtered_as(texture)[0] != Filtered::Integer;
}

Taps taps_of(const TextureDescriptor& texture, const SampleRequest& request, unsigned axis, uint32_t size, float at,
             bool linear) {
  Axis a{texture.sampler.address[axis], size, texture.sampler.normalized, request.offset[axis]};
  if (request.integer) {
    a.normalized = false;
    return taps_integer(a, request.texel[axis]);
  }
  return linear ? taps_linear(a, at) : taps_point(a, at);
}

Footprint footprint_of(const TextureDescriptor& texture, const SampleRequest& request, const ImageLevel& level,
                       bool linear) {
  const Image& image = texture.image;
  Footprint f;
  if (image.layered) f.slice = layer_of(request.layer, image.layers);
  if (image.shape == ImageShape::Cube) {
    CubePlace place = cube_place(request.at[0], request.at[1], request.at[2]);
    f.slice = f.slice * 6 + place.face;
    f.x = taps_of(texture, request, 0, level.width, place.s, linear);
    f.y = taps_of(texture, request, 1, level.height, place.t, linear);
    return f;
  }
  f.x = taps_of(texture, request, 0, level.width, request.at[0], linear);
  // A row is read as the one row of an image, at y = 0. With a border above it, that is halfway to the border.
  const bool row = image.shape == ImageShape::D1;
  if (row && image.layered) return f;
  f.y = taps_of(texture, request, 1, level.height, row ? 0.0f : request.at[1], linear);
  if (image.shape == ImageShape::D3) f.z = taps_of(texture, request, 2, level.depth, request.at[2], linear);
  return f;
}

// Adds the contribution of `weight` (of 256) of a bilinear footprint in one slice.
void add_slice(const Sampled& image, const Footprint& f, uint32_t slice, bool inside,
               std::span<const int32_t, 4> weights, Channels& sum) {
  const struct {
    int32_t x, y;
    bool inside;
  } corners[] = {{f.x.first, f.y.first, f.x.first_inside && f.y.first_inside},
                 {f.x.second, f.y.first, f.x.second_inside && f.y.first_inside},
                 {f.x.first, f.y.second, f.x.first_inside && f.y.second_inside},
                 {f.x.second, f.y.second, f.x.second_inside && f.y.second_inside}};
  for (unsigned k = 0; k < 4; ++k) {
    if (weights[k] == 0) continue;
    Channels texel = image.texel(corners[k].x, corners[k].y, slice, corners[k].inside && inside);
    for (unsigned c = 0; c < 4; ++c) sum[c] += texel[c] * weights[k];
  }
}

// Adds the contribution of `all` (of 256) of one level.
void add_level(const TextureDescriptor& texture, const SampleRequest& request, uint32_t number, int32_t all,
               Channels& sum) {
  const Image& image = texture.image;
  const Sampled level{texture, filtered_as(texture), image.levels[number]};
  const bool linear = is_linear(texture, request);
  const Footprint f = footprint_of(texture, request, level.level, linear);
  if (image.shape == ImageShape::D3) {
    std::array<int32_t, 8> weights = trilinear_weights(f.x.weight, f.y.weight, f.z.weight, all);
    add_slice(level, f, static_cast<uint32_t>(f.z.first), f.z.first_inside, std::span(weights).first<4>(), sum);
    add_slice(level, f, static_cast<uint32_t>(f.z.second), f.z.second_inside, std::span(weights).last<4>(), sum);
  } else {
    add_slice(level, f, f.slice, true, bilinear_weights(f.x.weight, f.y.weight, all), sum);
  }
}

// One texel, unfiltered.
Words point(const TextureDescriptor& texture, const SampleRequest& request, uint32_t number) {
  const Sampled level{texture, filtered_as(texture), texture.image.levels[number]};
  const Footprint f = footprint_of(texture, request, level.level, false);
  const bool volume = texture.image.shape == ImageShape::D3;
  const bool inside = f.x.first_inside && f.y.first_inside && (!volume || f.z.first_inside);
  const Channels texel = level.texel(f.x.first, f.y.first, volume ? static_cast<uint32_t>(f.z.first) : f.slice, inside);
  Words out{};
  for (unsigned c = 0; c < 4; ++c) out[c] = encode_texel(texel[c], level.as[c]);
  return out;
}

// Memory by index: reads outside return zero.
Words linear_memory(const TextureDescriptor& texture, const SampleRequest& request) {
  const Sampled level{texture, filtered_as(texture), texture.image.levels[0]};
  const int64_t index =
      request.offset[0] +
      int64_t{request.integer ? request.texel[0] : taps_point({AddressMode::Border, ~0u, false}, request.at[0]).first};
  Words out{};
  if (index < 0 || index >= level.level.width) return out;
  Channels texel = level.texel(static_cast<int32_t>(index), 0, 0, true);
  for (unsigned c = 0; c < 4; ++c) out[c] = encode_texel(texel[c], level.as[c]);
  return out;
}

// The order of tld4 in the footprint: (0, 1) (1, 1) (1, 0) (0, 0).
Words gather(const TextureDescriptor& texture, const SampleRequest& request) {
  const ImageLevel& level = texture.image.levels[0];
  const Sampled image{texture, filtered_as(texture), level};
  const Footprint f = footprint_of(texture, request, level, true);
  auto one = [&](int32_t x, bool x_inside, int32_t y, bool y_inside) {
    return encode_texel(image.texel(x, y, f.slice, x_inside && y_inside)[request.channel], image.as[request.channel]);
  };
  return {one(f.x.first, f.x.first_inside, f.y.second, f.y.second_inside),
          one(f.x.second, f.x.second_inside, f.y.second, f.y.second_inside),
          one(f.x.second, f.x.second_inside, f.y.first, f.y.first_inside),
          one(f.x.first, f.x.first_inside, f.y.first, f.y.first_inside)};
}

}  // namespace

CubePlace cube_place(float x, float y, float z) {
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  CubePlace place{};
  float m, s, t;
  if (az >= ax && az >= ay) {
    place.face = std::signbit(z) ? 5 : 4;
    m = az, s = std::signbit(z) ? -x : x, t = -y;
  } else if (ay >= ax) {
    place.face = std::signbit(y) ? 3 : 2;
    m = ay, s = x, t = std::signbit(y) ? -z : z;
  } else {
    place.face = std::signbit(x) ? 1 : 0;
    m = ax, s = std::signbit(x) ? z : -z, t = -y;
  }
  place.s = (s / m + 1.0f) * 0.5f;
  place.t = (t / m + 1.0f) * 0.5f;
  return place;
}

std::array<int32_t, 4> bilinear_weights(int32_t a, int32_t b, int32_t all) {
  const int32_t second = (a * all + 128) >> 8, first = all - second;
  const int32_t first_below = (first * b + 127) >> 8, second_below = (second * b + 128) >> 8;
  return {first - first_below, second - second_below, first_below, second_below};
}

std::array<int32_t, 8> trilinear_weights(int32_t a, int32_t b, int32_t c, int32_t all) {
  const int32_t behind = (c * all + 128) >> 8;
  const std::array<int32_t, 4> back = bilinear_weights(a, b, behind), front = bilinear_weights(a, b, all - behind);
  return {front[0], front[1], front[2], front[3], back[0], back[1], back[2], back[3]};
}

Words sample(const TextureDescriptor& texture, const SampleRequest& request) {
  if (texture.image.shape == ImageShape::Linear) return linear_memory(texture, request);
  if (request.sampling == Sampling::Gather) return gather(texture, request);
  const LevelChoice choice = choose_level(texture, request);
  if (choice.weight == 0 && !is_linear(texture, request)) return point(texture, request, choice.first);
  Channels sum{};
  add_level(texture, request, choice.first, 256 - choice.weight, sum);
  if (choice.weight != 0) add_level(texture, request, choice.first + 1, choice.weight, sum);
  Words out{};
  const FilteredChannels as = filtered_as(texture);
  for (unsigned c = 0; c < 4; ++c) out[c] = encode_blend(sum[c], as[c]);
  return out;
}

}  // namespace warpwise::texture
