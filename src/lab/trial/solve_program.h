// A submission's solve as a program: its two halves, and main around it (include/warpwise/solve_main.h).
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/judge/compile_submission.h"
#include "lab/problem/problem.h"
#include "toolchain/build.h"

namespace warpwise::lab {

struct SolveProgram {
  bool compiled = false;
  std::string messages;              // of the compiler: warnings, or why not
  std::string forbidden;             // when it did not: the file that it names and that is not its own; "": none
  bool missing_entry = false;        // the linker found no entry of this name and naming
  std::string next;                  // what to do, where the verdict's own advice does not fit; "": it does
  std::vector<std::string> sources;  // the submission's files, absolute
  std::filesystem::path executable;
  std::filesystem::path modules;                        // where its PTX is
  std::set<std::string> images;                         // the PTX itself: what it may load
  std::optional<toolchain::TemporaryFolder> temporary;  // it lives there when the cache cannot keep it
};

// The source and the flags that its text asks for.
Result<std::vector<std::string>> words_for_solve(const std::filesystem::path& source);

// Compiles ahead what every submission of the problem is linked with, and keeps it in the cache. Nothing for problems
// of kind "kernel". Errors: those of compile_for_host.
Result<void> prepare_solve_programs(const Problem& problem);

// The same program with other device code of the same source. Not `compiled` where the device code is inside the
// executable. U0002 when the code cannot be written.
Result<SolveProgram> with_device_code(const SolveProgram& program, const std::string& ptx);

// Errors: those that are no fault of the source; S0001.
Result<SolveProgram> build_solve_program(const Problem& problem, const std::filesystem::path& source,
                                         const CompileOptions& options);

}  // namespace warpwise::lab
