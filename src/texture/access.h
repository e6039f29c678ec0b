// What a texture or surface instruction does to one thread: ptx/shapes/image_access.h says which words go in and come
// out.
#pragma once

#include "device/texture.h"
#include "ptx/shapes/image_access.h"

namespace warpwise::texture {

enum class Outcome : uint8_t {
  Done,
  Outside,   // of a surface, with .trap
  Mismatch,  // the handle is not of the kind that the instruction wants
};

// `texture` has addresses of this process in its levels; what they point to stays valid during the call.
// `words` has access.words values and `results` room for access.results.
Outcome access_image(const device::TextureDescriptor& texture, const ptx::ImageAccess& access, const uint32_t* words,
                     uint32_t* results);

}  // namespace warpwise::texture
