// Compares a warp's vector code with single samples, bit by bit: random textures, coordinates and masks.
#include "texture/warp_sample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "texture/access.h"
#include "texture/warp_access.h"

namespace warpwise::texture {
namespace {

using namespace device;

class RandomTexture {
 public:
  explicit RandomTexture(uint32_t seed) : random_(seed) {
    choose_shape();
    choose_format();
    fill();
    choose_sampler();
  }

  uint32_t number(uint32_t below) { return random_() % below; }
  float coordinate(unsigned axis) {
    const ImageLevel& level = texture.image.levels[0];
    const float sizes[] = {float(level.width), float(level.height), float(level.depth)};
    const float scale = texture.sampler.normalized ? 1.0f : sizes[axis];
    static const float kSpecial[] = {NAN,    INFINITY, -INFINITY, 1e10f,      -1e10f,
                                     1e-40f, -1e-30f,  65536.25f, -65536.25f, 16777216.0f};
    if (number(30) == 0) return kSpecial[number(10)];
    if (number(4) == 0) return (float(number(unsigned(8 * sizes[axis]))) * 0.5f - sizes[axis]) / sizes[axis] * scale;
    return (float(number(4000)) / 1000.0f - 1.5f) * scale;
  }

  TextureDescriptor texture;
  ptx::ImageAccess access;

 private:
  void choose_shape() {
    const unsigned geometry = number(5);
    access.geometry = static_cast<ptx::ImageGeometry>(geometry);
    access.results = access.elements = 4;
    Image& image = texture.image;
    image.layered = access.layered();
    image.shape = access.coordinates() == 1   ? ImageShape::D1
                  : access.coordinates() == 2 ? ImageShape::D2
                                              : ImageShape::D3;
    image.layers = image.layered ? 1 + number(4) : 1;
    ImageLevel& level = image.levels[0];
    level.width = 1 + number(20);
    level.height = image.shape == ImageShape::D1 ? 1 : 1 + number(20);
    level.depth = image.shape == ImageShape::D3 ? 1 + number(9) : 1;
    access.words = static_cast<uint8_t>(access.coordinates() + image.layered);
  }

  void choose_format() {
    TexelFormat& format = texture.image.format;
    format.channels = static_cast<uint8_t>(1 << number(3));
    switch (number(4)) {
      case 0:
        format.channel = Channel::Float, format.bits = 32;
        break;
      case 1:
        format.channel = Channel::Unsigned, format.bits = number(2) ? 8 : 16, texture.sampler.normalized_float = true;
        break;
      default:
        format.channel = number(2) ? Channel::Signed : Channel::Unsigned,
        format.bits = static_cast<uint8_t>(8 << number(3));
    }
  }

  void fill() {
    Image& image = texture.image;
    ImageLevel& level = image.levels[0];
    level.pitch = (level.width * image.format.bytes() + 63) / 64 * 64;
    level.slice = level.pitch * level.height;
    memory_.resize(level.slice * level.depth * image.layers / 4);
    for (uint32_t& word : memory_) {
      float value = number(50) == 0 ? INFINITY : float(number(100000)) / 777.0f - 50.0f;
      if (image.format.channel == Channel::Float)
        std::memcpy(&word, &value, 4);
      else
        word = random_();
    }
    level.base = reinterpret_cast<uint64_t>(memory_.data());
  }

  void choose_sampler() {
    Sampler& sampler = texture.sampler;
    sampler.normalized = number(2) != 0;
    sampler.linear = number(2) != 0 && (texture.image.format.channel == Channel::Float || sampler.normalized_float);
    for (AddressMode& mode : sampler.address)
      mode = static_cast<AddressMode>(sampler.normalized ? number(4) : 1 + 2 * number(2));
    for (float& v : sampler.border) v = float(number(1000)) / 500.0f - 1.0f;
  }

  std::mt19937 random_;
  std::vector<uint32_t> memory_;
};

TEST(WarpSample, EqualsSingleSamples) {
  unsigned handled = 0;
  for (uint32_t seed = 1; seed <= 3000; ++seed) {
    RandomTexture t(seed);
    std::vector<uint32_t> words(ptx::kMostImageWords * kLanes), got(ptx::kMostImageResults * kLanes, 0xabababab),
        want = got;
    unsigned next = 0;
    if (t.access.layered())
      for (unsigned l = 0; l < kLanes; ++l) words[l] = t.number(6);
    next = t.access.layered();
    for (unsigned axis = 0; axis < t.access.coordinates(); ++axis, ++next)
      for (unsigned l = 0; l < kLanes; ++l) {
        float v = t.coordinate(axis);
        std::memcpy(&words[next * kLanes + l], &v, 4);
      }
    const uint32_t mask = t.number(4) == 0 ? ~0u : t.number(~0u);
    if (!sample_warp(t.texture, t.access, mask, words.data(), got.data())) continue;
    ++handled;
    for (unsigned l = 0; l < kLanes; ++l) {
      if (!(mask >> l & 1)) continue;
      uint32_t own[ptx::kMostImageWords], out[ptx::kMostImageResults];
      for (unsigned k = 0; k < t.access.words; ++k) own[k] = words[k * kLanes + l];
      ASSERT_EQ(access_image(t.texture, t.access, own, out), Outcome::Done);
      for (unsigned k = 0; k < 4; ++k) want[k * kLanes + l] = out[k];
    }
    ASSERT_EQ(got, want) << "seed " << seed;
  }
  EXPECT_GT(handled, 2500u);
}

}  // namespace
}  // namespace warpwise::texture
