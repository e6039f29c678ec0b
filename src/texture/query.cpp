#include "texture/query.h"

#include <algorithm>

namespace warpwise::texture {

using device::AddressMode;
using device::Channel;
using device::ImageLevel;
using device::TexelFormat;
using ptx::ImageQuery;

namespace {

// The numbers of OpenCL's header, to which PTX refers.
uint32_t channel_data_type(const TexelFormat& format, bool normalized) {
  constexpr uint32_t kSnormInt8 = 0x10d0, kSnormInt16 = 0x10d1, kUnormInt8 = 0x10d2, kUnormInt16 = 0x10d3,
                     kSignedInt8 = 0x10d7, kSignedInt16 = 0x10d8, kSignedInt32 = 0x10d9, kUnsignedInt8 = 0x10da,
                     kUnsignedInt16 = 0x10db, kUnsignedInt32 = 0x10dc, kHalfFloat = 0x10dd, kFloat = 0x10de;
  const bool byte = format.bits == 8, wide = format.bits == 32;
  switch (format.channel) {
    case Channel::Float:
      return format.bits == 16 ? kHalfFloat : kFloat;
    case Channel::Signed:
      return normalized && !wide ? (byte ? kSnormInt8 : kSnormInt16)
             : byte              ? kSignedInt8
             : wide              ? kSignedInt32
                                 : kSignedInt16;
    case Channel::Unsigned:
      return normalized && !wide ? (byte ? kUnormInt8 : kUnormInt16)
             : byte              ? kUnsignedInt8
             : wide              ? kUnsignedInt32
                                 : kUnsignedInt16;
  }
  return 0;
}

uint32_t channel_order(const TexelFormat& format) {
  constexpr uint32_t kR = 0x10b0, kRg = 0x10b2, kRgba = 0x10b5;
  return format.channels == 1 ? kR : format.channels == 2 ? kRg : kRgba;
}

// PTX ISA 5.3: wrap, mirror, clamp_ogl, clamp_to_edge, clamp_to_border.
uint32_t address_mode(AddressMode mode) {
  switch (mode) {
    case AddressMode::Wrap:
      return 0;
    case AddressMode::Mirror:
      return 1;
    case AddressMode::Clamp:
      return 3;
    case AddressMode::Border:
      return 4;
  }
  return 0;
}

}  // namespace

uint32_t query(const device::TextureDescriptor& texture, const ptx::ImageAccess& access, const uint32_t* words) {
  const device::Image& image = texture.image;
  const device::Sampler& sampler = texture.sampler;
  const ImageLevel& level = image.levels[access.leveled ? std::min(words[0], image.level_count - 1) : 0];
  switch (access.query()) {
    case ImageQuery::Width:
      return level.width;
    case ImageQuery::Height:
      return image.shape == device::ImageShape::D1 || image.shape == device::ImageShape::Linear ? 0 : level.height;
    case ImageQuery::Depth:
      return image.shape == device::ImageShape::D3 ? level.depth : 0;
    case ImageQuery::ChannelDataType:
      return channel_data_type(image.format, sampler.normalized_float);
    case ImageQuery::ChannelOrder:
      return channel_order(image.format);
    case ImageQuery::NormalizedCoords:
      return sampler.normalized;
    case ImageQuery::ArraySize:
      return image.layered ? image.layers : 0;
    case ImageQuery::NumMipmapLevels:
      return image.level_count;
    case ImageQuery::ForceUnnormalizedCoords:
      return !sampler.normalized;
    case ImageQuery::FilterMode:
      return sampler.linear;
    case ImageQuery::AddrMode0:
      return address_mode(sampler.address[0]);
    case ImageQuery::AddrMode1:
      return address_mode(sampler.address[1]);
    case ImageQuery::AddrMode2:
      return address_mode(sampler.address[2]);
    case ImageQuery::MemoryLayout:
      return image.shape == device::ImageShape::Linear;
    case ImageQuery::NumSamples:
      return 0;  // 9.7.10.5: for multisample textures, which CUDA's API cannot create
  }
  return 0;
}

}  // namespace warpwise::texture
