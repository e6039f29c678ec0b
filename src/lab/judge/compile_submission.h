// The device half of a submission to PTX, by a compiler in the sandbox.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "toolchain/build.h"

namespace warpwise::lab {

struct CompiledSubmission {
  bool compiled = false;
  std::string ptx;        // when it compiled
  std::string messages;   // of the compiler: warnings, or why not
  std::string forbidden;  // when it did not: what the source wanted to read that is not its own; "": nothing
};

// For checkers, as the source says it; or optimised, to be timed. `architecture`: compute capability times ten.
// `sandbox`: false where the machine cannot give one. Errors: those of toolchain::build_ptx that are no fault of the
// source; S0001.
Result<CompiledSubmission> compile_device_half(const std::filesystem::path& source, toolchain::BuildPurpose purpose,
                                               unsigned architecture, bool sandbox);

}  // namespace warpwise::lab
