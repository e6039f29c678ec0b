// What the options of nvrtcCompileProgram ask for, in words for the toolchain.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace warpwise::nvrtc {

struct Options {
  std::vector<std::string> flags;  // nvcc's
  bool default_device = false;
  bool source_folder = true;    // #include looks in the folder of the source
  bool machine_code = false;    // -arch=sm_90 rather than compute_90: nvrtcGetCUBIN has something to give
  bool link_time_code = false;  // -dlto: nvrtcGetLTOIR alone has
};

// T0005 for an option nobody knows, T0006 for one that is known and not supported.
Result<Options> parse_options(std::span<const char* const> words);

}  // namespace warpwise::nvrtc
