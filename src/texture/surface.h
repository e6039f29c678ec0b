// Surfaces: an image's bytes, read, written and reduced in place (PTX ISA 9.7.11).
//
// `.b` accesses count x in bytes and move bytes as they are; `.p` counts texels and converts to the format. What lies
// outside the image traps, is moved to the nearest texel (.clamp), or reads as zero and is not written (.zero).
#pragma once

#include "texture/access.h"

namespace warpwise::texture {

Outcome access_surface(const device::Image& image, const ptx::ImageAccess& access, const uint32_t* words,
                       uint32_t* results);

}  // namespace warpwise::texture
