// Finds what a program needs and Warpwise does not have, without running it: instructions in its PTX, functions of the
// CUDA libraries that it binds, and libraries that are not installed.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace warpwise::cli {

struct MissingReport {
  std::string text;     // lines for people
  size_t findings = 0;  // 0: everything it uses is there
};

// `architecture` and `modules` as device_code_of() takes them. U0001, U0009: it is not a program.
Result<MissingReport> what_is_missing(const std::string& program, unsigned architecture,
                                      const std::filesystem::path& modules, const std::filesystem::path& libraries);

}  // namespace warpwise::cli
