// The common fetches of a warp as vector code: tex from plain and layered 1-D, 2-D and 3-D textures without mipmaps,
// point or linear, of floats, of integers, and of unsigned normalised integers. sample.h is the reference; both give
// the same bits.
//
// The code consists of loops over 32 lanes that a compiler turns into vector instructions and gathers. It is compiled
// for several processors, and the running one is chosen at load time (target_clones). A warp's bilinear fetch of one
// float channel takes about 0.2 us with AVX-512, a tenth of 32 single samples.
#pragma once

#include <cstdint>

#include "device/texture.h"
#include "ptx/shapes/image_access.h"

namespace warpwise::texture {

// False: the fetch is not one of these, and nothing was done. Words and results as in warp_access.h.
bool sample_warp(const device::TextureDescriptor& texture, const ptx::ImageAccess& access, uint32_t mask,
                 const uint32_t* words, uint32_t* results);

}  // namespace warpwise::texture
