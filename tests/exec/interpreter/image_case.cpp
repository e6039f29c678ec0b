#include "image_case.h"

#include <fmt/format.h>

#include <algorithm>

#include "engines.h"

namespace warpwise::test {

using device::AddressMode;
using device::Channel;
using device::ImageShape;

namespace {

Result<device::TexelFormat> read_format(const std::string& text) {
  device::TexelFormat format;
  format.channel = text[0] == 'f' ? Channel::Float : text[0] == 's' ? Channel::Signed : Channel::Unsigned;
  size_t end = 0;
  format.bits = static_cast<uint8_t>(std::stoul(text.substr(1), &end));
  format.channels = end + 1 < text.size() ? static_cast<uint8_t>(text[end + 2] - '0') : uint8_t{1};
  return format;
}

Result<void> read_shape(const std::string& text, device::Image& image) {
  image.layered = text[0] == 'a';
  const std::string plain = image.layered ? text.substr(1) : text;
  if (plain == "1d")
    image.shape = ImageShape::D1;
  else if (plain == "2d")
    image.shape = ImageShape::D2;
  else if (plain == "3d")
    image.shape = ImageShape::D3;
  else if (plain == "cube")
    image.shape = ImageShape::Cube;
  else if (plain == "linear")
    image.shape = ImageShape::Linear;
  else
    return Error{"U0005", fmt::format("`{}` is no shape of an image", text)};
  return {};
}

}  // namespace

Result<device::TextureDescriptor> read_image(const std::string& text, uint64_t base) {
  device::TextureDescriptor texture;
  device::Image& image = texture.image;
  std::vector<std::string> parts = split(text.substr(text.find('=') + 1), ',');
  if (parts.size() < 3) return Error{"U0005", fmt::format("`{}` is no image: shape, format, size", text)};
  TRY(read_shape(parts[0], image));
  image.format = TRY(read_format(parts[1]));
  uint32_t size[3] = {1, 1, 1};
  std::vector<std::string> sizes = split(parts[2], 'x');
  for (size_t k = 0; k < std::min<size_t>(sizes.size(), 3); ++k) size[k] = static_cast<uint32_t>(std::stoul(sizes[k]));
  if (image.layered) image.layers = image.shape == ImageShape::D1 ? size[1] : size[2];
  if (image.shape == ImageShape::D1) size[1] = 1;
  if (image.shape != ImageShape::D3) size[2] = 1;
  for (size_t k = 3; k < parts.size(); ++k) {
    const std::string& word = parts[k];
    auto address = [&](AddressMode mode) { texture.sampler.address = {mode, mode, mode}; };
    if (word == "linear")
      texture.sampler.linear = true;
    else if (word == "wrap")
      address(AddressMode::Wrap);
    else if (word == "mirror")
      address(AddressMode::Mirror);
    else if (word == "border")
      address(AddressMode::Border);
    else if (word == "normalized")
      texture.sampler.normalized = true;
    else if (word == "unorm")
      texture.sampler.normalized_float = true;
    else if (word == "miplinear")
      texture.sampler.mip_linear = true;
    else if (word.starts_with("levels="))
      image.level_count = static_cast<uint32_t>(std::stoul(word.substr(7)));
    else
      return Error{"U0005", fmt::format("`{}` is no word of an image", word)};
  }
  texture.sampler.max_level = static_cast<float>(image.level_count - 1);
  for (uint32_t n = 0; n < image.level_count; ++n) {
    device::ImageLevel& level = image.levels[n];
    auto smaller = [&](uint32_t v) { return std::max(v >> n, 1u); };
    level.width = smaller(size[0]), level.height = smaller(size[1]), level.depth = smaller(size[2]);
    level.pitch = uint64_t{level.width} * image.format.bytes();
    level.slice = level.pitch * level.height;
    level.base = base;
    base += level.slice * level.depth * image.layers * (image.shape == ImageShape::Cube ? 6 : 1);
  }
  return texture;
}

}  // namespace warpwise::test
