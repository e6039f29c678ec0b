// Textures and surfaces in test files: what `texture=2d,f32x4,4x2,linear` behind a buffer's name means.
//
//     shape     1d 2d 3d a1d a2d cube acube linear
//     format    u8 s8 u16 s16 f16 u32 s32 f32, x2 or x4 behind it
//     size      WxHxD, one of them per axis; the last counts layers where there are layers
//     then      linear (filtering), wrap mirror border (else clamp), normalized, unorm (integers as numbers up to 1),
//               levels=N, miplinear
//
// The buffer's values are the texels, level after level, slice after slice, row after row without gaps.
#pragma once

#include <string>

#include "base/result.h"
#include "device/texture.h"

namespace warpwise::test {

// `text` with or without `texture=` or `surface=`; memory starts at `base`.
Result<device::TextureDescriptor> read_image(const std::string& text, uint64_t base);

}  // namespace warpwise::test
