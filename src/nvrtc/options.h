// Translates the options of nvrtcCompileProgram for the toolchain.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace warpwise::nvrtc {

struct Options {
  std::vector<std::string> flags;  // nvcc options
  bool default_device = false;
  bool source_folder = true;    // #include searches the folder of the source
  bool machine_code = false;    // -arch=sm_90 rather than compute_90: nvrtcGetCUBIN returns code
  bool link_time_code = false;  // -dlto: only nvrtcGetLTOIR returns code
};

// T0005 for an unknown option, T0006 for a known one that is not supported.
Result<Options> parse_options(std::span<const char* const> words);

}  // namespace warpwise::nvrtc
