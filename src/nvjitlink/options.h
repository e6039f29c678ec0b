// What the options of nvJitLinkCreate ask for.
#pragma once

#include <span>

#include "nvJitLink.h"

namespace warpwise::nvjitlink {

struct Options {
  unsigned architecture = 0;  // 90 for -arch=sm_90, which is required
  bool lto = false;           // link-time code (LTO-IR) is taken
  bool ptx = false;           // what comes out is PTX, which nvJitLinkGetLinkedPtx gives, and no cubin
};

// UNRECOGNIZED_OPTION, also for an -arch= that names none; MISSING_ARCH; UNSUPPORTED_ARCH before sm_75, as CUDA 13 has
// it; NULL_INPUT for an option that is a null pointer; INCOMPATIBLE_OPTIONS for -ptx without -lto and for
// -arch=compute_90 without -ptx. `out` is what could be read.
nvJitLinkResult parse_options(std::span<const char* const> words, Options* out);

}  // namespace warpwise::nvjitlink
