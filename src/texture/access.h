// Executes a texture or surface instruction for one thread; ptx/shapes/image_access.h describes its input and output
// words.
#pragma once

#include "device/texture.h"
#include "ptx/shapes/image_access.h"

namespace warpwise::texture {

enum class Outcome : uint8_t {
  Done,
  Outside,   // of a surface, with .trap
  Mismatch,  // the handle is of another kind than the instruction requires
};

// The levels of `texture` hold addresses of this process, which stay valid during the call. `words` has access.words
// values and `results` room for access.results.
Outcome access_image(const device::TextureDescriptor& texture, const ptx::ImageAccess& access, const uint32_t* words,
                     uint32_t* results);

}  // namespace warpwise::texture
