#include "texture/warp_access.h"

#include <bit>

#include "texture/warp_sample.h"

namespace warpwise::texture {

WarpOutcome access_warp(const device::TextureDescriptor& texture, const ptx::ImageAccess& access, uint32_t mask,
                        const uint32_t* words, uint32_t* results) {
  if (sample_warp(texture, access, mask, words, results)) return {};
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
    uint32_t own[ptx::kMostImageWords], out[ptx::kMostImageResults];
    for (unsigned k = 0; k < access.words; ++k) own[k] = words[k * kLanes + lane];
    const Outcome outcome = access_image(texture, access, own, out);
    if (outcome != Outcome::Done) return {outcome, lane};
    for (unsigned k = 0; k < access.results; ++k) results[k * kLanes + lane] = out[k];
  }
  return {};
}

}  // namespace warpwise::texture
