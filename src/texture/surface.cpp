#include "texture/surface.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

#include "texture/texel.h"

namespace warpwise::texture {

using device::Channel;
using device::Image;
using device::ImageLevel;
using device::ImageShape;
using device::TexelFormat;
using ptx::ImageAccess;
using ptx::ImageGeometry;
using ptx::ImageOperation;
using ptx::ImageOutside;
using ptx::ImageReduction;

namespace {

bool has_shape(const Image& image, ImageGeometry geometry) {
  switch (geometry) {
    case ImageGeometry::D1:
      return image.shape == ImageShape::D1 && !image.layered;
    case ImageGeometry::D2:
      return image.shape == ImageShape::D2 && !image.layered;
    case ImageGeometry::D3:
      return image.shape == ImageShape::D3;
    case ImageGeometry::A1:
      return image.shape == ImageShape::D1 && image.layered;
    // Cubes are written as layers: face, or 6 * layer + face.
    case ImageGeometry::A2:
      return (image.shape == ImageShape::D2 && image.layered) || image.shape == ImageShape::Cube;
    default:
      return false;
  }
}

uint32_t slices_of(const Image& image) {
  if (image.shape == ImageShape::D3) return image.levels[0].depth;
  return image.layers * (image.shape == ImageShape::Cube ? 6 : 1);
}

struct Place {
  std::byte* at = nullptr;  // null: outside
  Outcome outcome = Outcome::Done;
};

// The bytes that an access covers. x counts in units of `unit` bytes.
Place place_of(const Image& image, const ImageAccess& access, const uint32_t* words, uint32_t unit, uint32_t bytes) {
  const ImageLevel& level = image.levels[0];
  const uint32_t layer = access.layered() ? *words++ : 0;
  int64_t x = static_cast<int64_t>(static_cast<int32_t>(words[0])) * unit;
  int64_t y = access.coordinates() > 1 ? static_cast<int32_t>(words[1]) : 0;
  int64_t z = access.coordinates() > 2 ? static_cast<int32_t>(words[2]) : layer;
  const int64_t last_x = static_cast<int64_t>(level.width) * image.format.bytes() - bytes, last_y = level.height - 1,
                last_z = slices_of(image) - 1;
  const bool inside = x >= 0 && x <= last_x && y >= 0 && y <= last_y && z >= 0 && z <= last_z;
  if (!inside) {
    if (access.outside() == ImageOutside::Trap) return {nullptr, Outcome::Outside};
    if (access.outside() == ImageOutside::Zero || last_x < 0) return {};
    x = std::clamp<int64_t>(x, 0, last_x);
    y = std::clamp<int64_t>(y, 0, last_y);
    z = std::clamp<int64_t>(z, 0, last_z);
  }
  const uint64_t address = level.base + static_cast<uint64_t>(z) * level.slice +
                           static_cast<uint64_t>(y) * level.pitch + static_cast<uint64_t>(x);
  return {reinterpret_cast<std::byte*>(address), Outcome::Done};
}

unsigned words_per_element(const ImageAccess& access) { return access.element_bytes == 8 ? 2 : 1; }

void load(const ImageAccess& access, const std::byte* from, uint32_t* results) {
  const unsigned step = words_per_element(access);
  for (unsigned k = 0; k < access.elements; ++k) {
    uint64_t value = 0;
    if (from) std::memcpy(&value, from + k * access.element_bytes, access.element_bytes);
    results[k * step] = static_cast<uint32_t>(value);
    if (step == 2) results[k * step + 1] = static_cast<uint32_t>(value >> 32);
  }
}

void store(const ImageAccess& access, std::byte* to, const uint32_t* data) {
  for (unsigned k = 0; k < access.elements; ++k)
    std::memcpy(to + k * access.element_bytes, data + k * words_per_element(access), access.element_bytes);
}

// A register's 32 bits as a channel of the format: integers saturate, halves round to nearest even.
uint32_t formatted(const TexelFormat& format, uint32_t word) {
  if (format.bits == 32) return word;
  switch (format.channel) {
    case Channel::Float:
      return float_to_half(std::bit_cast<float>(word));
    case Channel::Unsigned:
      return std::min(word, (uint32_t{1} << format.bits) - 1);
    case Channel::Signed: {
      const int32_t most = (int32_t{1} << (format.bits - 1)) - 1;
      return static_cast<uint32_t>(std::clamp(static_cast<int32_t>(word), -most - 1, most));
    }
  }
  return word;
}

void store_formatted(const TexelFormat& format, const ImageAccess& access, std::byte* to, const uint32_t* data) {
  const unsigned bytes = format.bits / 8u;
  for (unsigned k = 0; k < std::min<unsigned>(access.elements, format.channels); ++k) {
    const uint32_t word = formatted(format, data[k]);
    std::memcpy(to + k * bytes, &word, bytes);
  }
}

template <class T>
T reduced(ImageReduction operation, T a, T b) {
  using Unsigned = std::make_unsigned_t<T>;
  switch (operation) {
    case ImageReduction::Add:
      return static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
    case ImageReduction::Min:
      return std::min(a, b);
    case ImageReduction::Max:
      return std::max(a, b);
    case ImageReduction::And:
      return a & b;
    case ImageReduction::Or:
      return a | b;
  }
  return a;
}

template <class T>
void reduce(ImageReduction operation, std::byte* at, T data) {
  std::atomic_ref<T> cell(*reinterpret_cast<T*>(at));
  T old = cell.load(std::memory_order_relaxed);
  while (!cell.compare_exchange_weak(old, reduced(operation, old, data), std::memory_order_relaxed)) {
  }
}

void reduce(const ImageAccess& access, bool is_signed, std::byte* at, const uint32_t* data) {
  if (access.element_bytes == 8) {
    const uint64_t wide = data[0] | static_cast<uint64_t>(data[1]) << 32;
    if (is_signed)
      reduce<int64_t>(access.reduction(), at, static_cast<int64_t>(wide));
    else
      reduce<uint64_t>(access.reduction(), at, wide);
  } else if (is_signed) {
    reduce<int32_t>(access.reduction(), at, static_cast<int32_t>(data[0]));
  } else {
    reduce<uint32_t>(access.reduction(), at, data[0]);
  }
}

}  // namespace

Outcome access_surface(const Image& image, const ImageAccess& access, const uint32_t* words, uint32_t* results) {
  if (!has_shape(image, access.geometry)) return Outcome::Mismatch;
  const bool by_texel =
      access.operation == ImageOperation::StoreFormatted || access.operation == ImageOperation::ReduceFormatted;
  if (access.operation == ImageOperation::ReduceFormatted && image.format.bits != 32) return Outcome::Mismatch;
  const uint32_t texel = image.format.bytes(), moved = access.element_bytes * access.elements;
  const Place place = place_of(image, access, words, by_texel ? texel : 1, by_texel ? texel : moved);
  if (place.outcome != Outcome::Done) return place.outcome;
  const uint32_t* data = words + access.coordinates() + access.layered();
  if (access.operation == ImageOperation::Load) {
    load(access, place.at, results);
    return Outcome::Done;
  }
  if (!place.at) return Outcome::Done;
  const bool aligned = reinterpret_cast<uint64_t>(place.at) % access.element_bytes == 0;
  switch (access.operation) {
    case ImageOperation::Store:
      store(access, place.at, data);
      break;
    case ImageOperation::StoreFormatted:
      store_formatted(image.format, access, place.at, data);
      break;
    case ImageOperation::Reduce:
      if (!aligned) return Outcome::Outside;
      reduce(access, access.is_signed, place.at, data);
      break;
    default:
      reduce(access, image.format.channel == Channel::Signed, place.at, data);
      break;
  }
  return Outcome::Done;
}

}  // namespace warpwise::texture
