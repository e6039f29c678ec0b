// Textures and surfaces as plain data: memory that is read as an image, and how it is sampled.
//
// An image is a list of mipmap levels, each rows of texels at a pitch in slices at a distance. A slice is a layer, a
// face of a cube (layer l has the faces 6 l to 6 l + 5, in the order +x -x +y -y +z -z) or a plane of a volume.
// Sampling itself is src/texture; src/cuda decodes CUDA's descriptors. (CUDA C++ Programming Guide, "Texture and
// Surface Memory"; PTX ISA 5.3.)
#pragma once

#include <array>
#include <cstdint>

namespace warpwise::device {

enum class Channel : uint8_t { Unsigned, Signed, Float };

// One texel: 1, 2 or 4 channels of 8, 16 or 32 bits, channel after channel.
struct TexelFormat {
  Channel channel = Channel::Float;
  uint8_t bits = 32;
  uint8_t channels = 1;
  unsigned bytes() const { return bits / 8u * channels; }
  bool operator==(const TexelFormat&) const = default;
};

enum class ImageShape : uint8_t { Linear, D1, D2, D3, Cube };  // Linear: memory by index, tex1Dfetch only

constexpr unsigned kMaxLevels = 16;  // 32768 texels, the widest mipmapped array, have 16 levels

struct ImageLevel {
  uint64_t base = 0;                          // address of the first texel
  uint64_t pitch = 0, slice = 0;              // bytes from row to row and from slice to slice
  uint32_t width = 0, height = 1, depth = 1;  // texels; depth of a volume only
};

struct Image {
  ImageShape shape = ImageShape::D1;
  bool layered = false;
  uint32_t layers = 1;
  TexelFormat format;
  uint32_t level_count = 1;
  std::array<ImageLevel, kMaxLevels> levels{};
};

enum class AddressMode : uint8_t { Wrap, Clamp, Mirror, Border };

struct Sampler {
  std::array<AddressMode, 3> address{AddressMode::Clamp, AddressMode::Clamp, AddressMode::Clamp};
  bool linear = false;            // between texels
  bool mip_linear = false;        // between levels
  bool normalized = false;        // coordinates from 0 to 1
  bool normalized_float = false;  // integers are read as numbers from 0 or -1 to 1
  bool srgb = false;
  std::array<float, 4> border{};
  float level_bias = 0, min_level = 0, max_level = 0;
  uint32_t max_anisotropy = 1;  // kept for queries; sampling is isotropic
};

struct TextureDescriptor {
  Image image;
  Sampler sampler;
  bool surface = false;  // kernels read and write the image; nothing is sampled
};

}  // namespace warpwise::device
