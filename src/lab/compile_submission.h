// The device half of a submission to PTX.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "toolchain/build.h"

namespace warpwise::lab {

struct CompiledSubmission {
  bool compiled = false;
  std::string ptx;       // when it compiled
  std::string messages;  // of the compiler: warnings, or why not
};

// For checkers, as the source says it; or optimised, to be timed. `architecture`: compute capability times ten. Errors: those of
// toolchain::build_ptx that are no fault of the source.
Result<CompiledSubmission> compile_device_half(const std::filesystem::path& source, toolchain::BuildPurpose purpose, unsigned architecture);

}  // namespace warpwise::lab
