// A texture or surface instruction of a whole warp: one call for 32 threads. The common case, a fetch from a plain 1-D,
// 2-D or 3-D texture, is vector code over the lanes (warp_sample.h); everything else runs lane by lane.
#pragma once

#include "texture/access.h"

namespace warpwise::texture {

constexpr unsigned kLanes = 32;

struct WarpOutcome {
  Outcome outcome = Outcome::Done;
  unsigned lane = 0;  // of the first lane that failed
};

// Word k of lane l stands at words[k * kLanes + l], results likewise; only lanes in `mask` are read and written.
WarpOutcome access_warp(const device::TextureDescriptor& texture, const ptx::ImageAccess& access, uint32_t mask,
                        const uint32_t* words, uint32_t* results);

}  // namespace warpwise::texture
