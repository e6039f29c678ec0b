// The meaning of the options of nvJitLinkCreate.
#pragma once

#include <span>

#include "nvJitLink.h"

namespace warpwise::nvjitlink {

struct Options {
  unsigned architecture = 0;  // 90 for -arch=sm_90, which is required
  bool lto = false;           // link-time code (LTO-IR) is accepted
  bool ptx = false;           // the result is PTX, which nvJitLinkGetLinkedPtx returns, and no cubin
};

// UNRECOGNIZED_OPTION, also for an -arch= without a valid architecture; MISSING_ARCH; UNSUPPORTED_ARCH before sm_75, as
// in CUDA 13; NULL_INPUT for an option that is a null pointer; INCOMPATIBLE_OPTIONS for -ptx without -lto and for
// -arch=compute_90 without -ptx. `out` receives the options that could be read.
nvJitLinkResult parse_options(std::span<const char* const> words, Options* out);

}  // namespace warpwise::nvjitlink
