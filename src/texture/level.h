// The mipmap levels that a sample reads. The level of detail has 8 fractional bits; between two levels the fraction is
// the weight of the smaller one.
#pragma once

#include "texture/sample.h"

namespace warpwise::texture {

struct LevelChoice {
  uint32_t first = 0;
  int32_t weight = 0;  // of 256, of level first + 1
};

LevelChoice choose_level(const device::TextureDescriptor& texture, const SampleRequest& request);

}  // namespace warpwise::texture
