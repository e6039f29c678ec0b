// txq and suq: the properties of a texture or surface (PTX ISA 9.7.10.5, 9.7.11.6).
#pragma once

#include "device/texture.h"
#include "ptx/shapes/image_access.h"

namespace warpwise::texture {

uint32_t query(const device::TextureDescriptor& texture, const ptx::ImageAccess& access, const uint32_t* words);

}  // namespace warpwise::texture
