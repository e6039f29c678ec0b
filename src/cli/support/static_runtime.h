// Programs that were linked with NVIDIA's static runtime (nvcc's default). Our libcudart takes the place of that
// runtime when it is loaded before the program starts (cuda/runtime/module/static_programs.cpp).
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace warpwise::cli {

// Sets the environment so that `program` gets our runtime, if it carries NVIDIA's. R0206 when that runtime is in there
// but cannot be replaced; U0006 when the file is not a program (start_program.h).
Result<void> prepare_static_runtime(const std::string& program, const std::filesystem::path& libraries);

}  // namespace warpwise::cli
