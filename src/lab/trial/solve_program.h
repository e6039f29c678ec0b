// A submission's solve as a program: its two halves, and main around it (include/warpwise/solve_main.h).
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "base/result.h"
#include "lab/problem/problem.h"
#include "toolchain/build.h"

namespace warpwise::lab {

struct SolveProgram {
  bool compiled = false;
  std::string messages;   // of the compiler: warnings, or why not
  std::string forbidden;  // when it did not: what the source wanted to read that is not its own; "": nothing
  std::filesystem::path executable;
  std::filesystem::path modules;                        // where its PTX is
  std::set<std::string> images;                         // the PTX itself: what it may load
  std::optional<toolchain::TemporaryFolder> temporary;  // it lives there when the cache cannot keep it
};

// `sandbox`: false where the machine cannot give one. Errors: those that are no fault of the source; S0001.
Result<SolveProgram> build_solve_program(const Problem& problem, const std::filesystem::path& source,
                                         toolchain::BuildPurpose purpose, unsigned architecture, bool sandbox);

}  // namespace warpwise::lab
