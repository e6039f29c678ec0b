// Surfaces: an image's bytes, read, written and reduced in place (PTX ISA 9.7.11).
//
// `.b` accesses count x in bytes and move bytes unchanged; `.p` accesses count texels and convert to the format. An
// access outside the image traps, goes to the nearest texel (.clamp), or reads zero and writes nothing (.zero).
#pragma once

#include "texture/access.h"

namespace warpwise::texture {

Outcome access_surface(const device::Image& image, const ptx::ImageAccess& access, const uint32_t* words,
                       uint32_t* results);

}  // namespace warpwise::texture
